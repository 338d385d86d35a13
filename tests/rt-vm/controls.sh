# The suite's own test: something is broken on purpose, and the check that must notice it does; sourced.

# broken WHAT CHECK SETTING…: with these settings in a drop-in of the acquisition's unit, CHECK fails.
broken() {
    local what=$1 expected=$2 folder
    shift 2
    folder=/etc/systemd/system/$(unit daq).d
    printf '%s\n' '[Service]' "$@" >"$folder/90-broken.conf"
    systemctl daemon-reload
    systemctl restart "$(unit daq)"
    check "control: $what is caught" is_caught "daq: $expected"
    rm "$folder/90-broken.conf"
}

is_caught() {
    local found
    found=$(report=/dev/null check_unit daq | sed -n 's/^FAILED  //p')
    printf '        failed: %s\n' "$(paste -sd';' <<<"$found")"
    grep -q "^$1" <<<"$found"
}

controls() {
    broken "a priority that cannot be had" "its loop has FIFO" CPUSchedulingPolicy=other LimitRTPRIO=0
    broken "another CPU" "its loop has FIFO" AllowedCPUs=0
    broken "memory that is not locked" "memory is locked" LimitMEMLOCK=0
    broken "a network" "no network" PrivateNetwork=no
    broken "a writable file system" "the file system is read-only" ProtectSystem=no
    broken "no filter of system calls" "system calls are filtered" SystemCallFilter=
    systemctl daemon-reload
    systemctl restart "$(unit daq)"
}
