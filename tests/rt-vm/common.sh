# Helpers of the suite that runs inside the virtual machine; sourced, not run.

instance=car1
roles=(daq subsystem dynamics)
report=$RT_VM_OUT/report.md
failures=0
checks=0

begin_report() {
    cat >"$report" <<TEXT
# $1

Kernel $(uname -r), $(uname -v), $(nproc --all) CPUs, isolated: $(cat /sys/devices/system/cpu/isolated). Package $(dpkg-query -W rtrd 2>/dev/null || echo "to be installed").

**Times here are virtual: instructions counted by an emulator. They tell a good configuration from a bad one, and they say nothing about how
late a loop wakes up on hardware.**
TEXT
}

# The last word: how many checks failed, and the exit code that says so.
end_report() {
    section "Result"
    note "$failures of $checks checks failed."
    journalctl --no-pager -o short-monotonic >"$RT_VM_OUT/journal.log" 2>/dev/null
    ((failures == 0))
    exit
}

section() {
    printf '\n== %s (%s s of virtual time)\n' "$1" "$(cut -d' ' -f1 /proc/uptime)"
    printf '\n## %s\n\n' "$1" >>"$report"
}

note() {
    printf '   %s\n' "$1"
    printf '%s\n' "$1" >>"$report"
}

# check WHAT COMMAND…: one line that says whether it holds.
check() {
    local what=$1
    shift
    checks=$((checks + 1))
    if "$@"; then
        printf 'ok      %s\n' "$what"
        printf -- '- ok: %s\n' "$what" >>"$report"
    else
        printf 'FAILED  %s\n' "$what"
        printf -- '- **FAILED**: %s\n' "$what" >>"$report"
        failures=$((failures + 1))
    fi
}

# equal EXPECTED FOUND: says both where they differ.
equal() {
    [ "$1" = "$2" ] && return 0
    printf '        expected: %s\n        found:    %s\n' "$1" "$2"
    return 1
}

is_more() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > b) }'; }
# at_most LIMIT FOUND
at_most() {
    is_more "$2" "$1" || return 0
    printf '        at most: %s\n        found:   %s\n' "$1" "$2"
    return 1
}

# within SECONDS COMMAND…: whether it comes true within that much virtual time.
within() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        ((SECONDS < end)) || return 1
        sleep 0.1
    done
}

# Partners that spin would cost the emulator all its time, and 1 kHz most of it.
slow_down() {
    sed -i -e 's/^exchange = .*/exchange = "sleep"/' -e 's/^# step_us =.*/step_us = 5000/' -e 's/^period_us = .*/period_us = 5000/' "/etc/rtrd/$instance.toml"
}

unit() { echo "rtrd-$1@$instance.service"; }
pid_of() { systemctl show -P MainPID "$(unit "$1")"; }
# Ready by the process's own word.
is_ready() { equal "notify active running" "$(systemctl show -P Type -P ActiveState -P SubState "$(unit "$1")" | paste -sd' ')"; }
is_active() { [ "$(systemctl is-active "$(unit "$1")")" = active ]; }

# signal NAME: its live value.
signal() { rtrd signals "$1" --instance "$instance" 2>/dev/null | awk -v name="$1" '$2 == name { print $3 }'; }
