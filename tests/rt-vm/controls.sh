# The suite's own test: something is broken on purpose, and the check that must notice it does; sourced.

# broken ROLE WHAT CHECK SETTING…: with these settings in a drop-in of the unit, the process is ready all the same, and CHECK fails.
broken() {
    local role=$1 what=$2 expected=$3 folder
    shift 3
    folder=/etc/systemd/system/$(unit "$role").d
    printf '%s\n' '[Service]' "$@" >"$folder/90-broken.conf"
    systemctl daemon-reload
    systemctl restart "$(unit "$role")"
    check "control: $role with $what is caught" is_caught "$role" "$expected"
    rm "$folder/90-broken.conf"
    systemctl daemon-reload
}

is_caught() {
    local found
    found=$(report=/dev/null check_unit "$1" | sed -n "s/^FAILED  $1: //p")
    printf '        failed: %s\n' "$(paste -sd';' <<<"$found")"
    # Of a process that is not there every check fails, and that would prove nothing.
    ! grep -q '^ready' <<<"$found" && grep -q "^$2" <<<"$found"
}

controls() {
    broken daq "no right to its priority" "its loop has FIFO" CPUSchedulingPolicy=other LimitRTPRIO=0
    broken daq "memory that is not locked" "memory is locked" LimitMEMLOCK=0
    broken daq "a network" "no network" PrivateNetwork=no
    broken daq "a writable file system" "the file system is read-only" ProtectSystem=no
    broken daq "no filter of system calls" "a forbidden system call is refused" SystemCallFilter=
    broken daq "every device" "a device that is not on the list is refused" DevicePolicy=auto DeviceAllow=
    systemctl restart "$(unit daq)"
    # Not AllowedCPUs=: after it, another process was no longer found where the plan has it, and the unit did not even start.
    broken subsystem "another CPU" "its loop has FIFO" CPUAffinity= CPUAffinity=0 Environment=RTRD_CPUS=0
    systemctl restart "$(unit subsystem)"
    check "restored, the units are as before" is_restored
}

is_restored() { ! { report=/dev/null check_unit daq; report=/dev/null check_unit subsystem; } | grep -v '^ok'; }
