# What is true of a real-time unit, seen from outside the process; sourced.

# The CPU plan's word on a unit, from the drop-in that `rtrd deploy plan` wrote.
planned() { sed -n "s/^$2=\(..*\)/\1/p" "/etc/systemd/system/$(unit "$1").d/10-cpu-plan.conf"; }

# Priority and CPUs of the process's threads under SCHED_FIFO (proc(5): field 40 of stat is the priority, 41 the policy, 1 is FIFO).
fifo_threads() {
    local task fields
    for task in /proc/"$1"/task/*; do
        read -r -a fields < <(sed 's/.*) //' "$task/stat")
        [ "${fields[38]}" = 1 ] && echo "priority ${fields[37]} on CPU $(sed -n 's/^Cpus_allowed_list:\t//p' "$task/status")"
    done
}

status_of() { sed -n "s/^$2:[[:space:]]*\([^ ]*\).*/\1/p" "/proc/$1/status" 2>/dev/null; }
locks_memory() { [[ $(status_of "$1" VmLck) =~ ^[1-9] ]]; }
# The machine has an interface besides the loopback; a process without network must not see it.
sees_no_network() { equal lo "$(awk -F: 'NR > 2 { gsub(/ /, "", $1); print $1 }' "/proc/$1/net/dev" | paste -sd' ')"; }
cannot_write() {
    local folder
    for folder in /usr /etc /var/lib; do
        if nsenter -t "$1" -m touch "$folder/rtrd-was-here" 2>/dev/null; then
            rm -f "$folder/rtrd-was-here"
            echo "        $folder can be written"
            return 1
        fi
    done
}
is_filtered() { equal 2 "$(status_of "$1" Seccomp)" && systemctl show -P SystemCallFilter "$(unit "$2")" | grep -qw clock_nanosleep; }
cannot_mount() { ! systemctl show -P SystemCallFilter "$(unit "$1")" | grep -qw mount; }

# check_unit ROLE
check_unit() {
    local role=$1 pid place
    pid=$(pid_of "$role")
    place="priority $(planned "$role" CPUSchedulingPriority) on CPU $(planned "$role" CPUAffinity)"
    check "$role: ready, by its own notification" equal "notify active running" "$(systemctl show -P Type -P ActiveState -P SubState "$(unit "$role")" | paste -sd' ')"
    check "$role: its loop has FIFO $place" equal "$place" "$(fifo_threads "$pid")"
    check "$role: memory is locked" locks_memory "$pid"
    check "$role: no network" sees_no_network "$pid"
    check "$role: the file system is read-only" cannot_write "$pid"
    check "$role: no new privileges, no capabilities" equal "1 0000000000000000" "$(status_of "$pid" NoNewPrivs) $(status_of "$pid" CapEff)"
    check "$role: system calls are filtered" is_filtered "$pid" "$role"
    check "$role: mounting is not among them" cannot_mount "$role"
}
