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

# A shell that tries what the sandbox forbids and the rights of the user do not: to change the owner of a file of its own (a system call
# of @privileged), and to read a disk that everybody may read (no device of the list). It says what it could do.
attempts='echo started; true 3<>/dev/cpu_dma_latency && echo latency; touch /tmp/own; chown "$(id -u):$(id -g)" /tmp/own && echo chown; head -c 1 /dev/vdb >/dev/null && echo disk'

# in_sandbox ROLE: what these attempts achieve in the unit as systemd has it, drop-ins and all, with that shell as its program.
in_sandbox() {
    local name=rtrd-attempts.service
    chmod a+r /dev/vdb
    {
        systemctl cat "$(unit "$1")" | grep -Ev '^(Exec|Type|Restart|Watchdog|CPU|PartOf|After|StartLimit)'
        printf '%s\n' '[Service]' Type=oneshot 'StandardOutput=truncate:/run/rtrd-attempts' StandardError=null 'ExecStart=/bin/sh /run/rtrd-attempts.sh'
    } | sed "s/%i/$instance/g" >"/run/systemd/system/$name"
    printf '%s\n' "$attempts" 'true' >/run/rtrd-attempts.sh
    systemctl daemon-reload
    systemctl start "$name"
    paste -sd' ' /run/rtrd-attempts
}

# achieves FOUND WORD…, achieves_not FOUND WORD: whether the attempts achieved it.
achieves() { [[ $1 == *" $2 "* ]] || { echo "        found: $1"; return 1; }; }
achieves_not() { [[ $1 == *" started "* && $1 != *" $2 "* ]] || { echo "        found: $1"; return 1; }; }

# check_unit ROLE
check_unit() {
    local role=$1 pid place achieved
    pid=$(pid_of "$role")
    place="priority $(planned "$role" CPUSchedulingPriority) on CPU $(planned "$role" CPUAffinity)"
    achieved=" $(in_sandbox "$role") "
    check "$role: ready, by its own notification" is_ready "$role"
    check "$role: its loop has FIFO $place" equal "$place" "$(fifo_threads "$pid")"
    check "$role: memory is locked" locks_memory "$pid"
    check "$role: no network" sees_no_network "$pid"
    check "$role: the file system is read-only" cannot_write "$pid"
    check "$role: no new privileges, no capabilities" equal "1 0000000000000000" "$(status_of "$pid" NoNewPrivs) $(status_of "$pid" CapEff)"
    check "$role: system calls are filtered" equal 2 "$(status_of "$pid" Seccomp)"
    check "$role: what it needs works in its sandbox" achieves "$achieved" "started latency"
    check "$role: a forbidden system call is refused" achieves_not "$achieved" chown
    check "$role: a device that is not on the list is refused" achieves_not "$achieved" disk
}
