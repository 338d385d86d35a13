# The instance at work: a manoeuvre, processes that are killed, one that is upgraded, the end; sourced.

step() { signal kinematics.stamp.step; }
time_s() { signal kinematics.time_s; }
pids() { for role in "${roles[@]}"; do pid_of "$role"; done | paste -sd' '; }
steps_on() { is_more "$(step)" "$1"; }
restarted() { is_active "$1" && [ "$(pid_of "$1")" != "$2" ] && [ "$(pid_of "$1")" != 0 ]; }

# manoeuvre SECONDS: simulated time keeps step with the machine's, and the vehicle is on its way.
manoeuvre() {
    local seconds=$1 began ended simulated share
    began="$(cut -d' ' -f1 /proc/uptime) $(time_s) $(signal kinematics.position_m.x) $(signal kinematics.position_m.y)"
    sleep "$seconds"
    ended="$(cut -d' ' -f1 /proc/uptime) $(time_s) $(signal kinematics.position_m.x) $(signal kinematics.position_m.y)"
    read -r simulated share distance < <(awk '{ printf "%.2f %.4f %.1f\n", $6 - $2, ($6 - $2) / ($5 - $1), sqrt(($7 - $3)^2 + ($8 - $4)^2) }' <<<"$began $ended")
    note "$simulated s simulated, $share of the virtual time that passed; $distance m from where it was; status $(signal kinematics.status), answers late $(signal dynamics_health.exchange_misses), overruns $(signal dynamics_health.overruns)"
    # Reading the signals takes a moment on either side.
    check "simulated time keeps step for $seconds s" is_more "$share" 0.98
    check "the vehicle moves" is_more "$distance" 5
    check "all is well with the model" equal 0 "$(signal kinematics.status)"
}

# kill_one ROLE: systemd brings it back, the others stay, the simulation goes on from where it was.
kill_one() {
    local role=$1 pid before step_before
    pid=$(pid_of "$role")
    before=$(pids)
    step_before=$(step)
    kill -KILL "$pid"
    check "$role: killed, and back" within 20 restarted "$role" "$pid"
    check "$role: the other two were not touched" equal "${before/$pid/}" "$(pids | sed "s/\b$(pid_of "$role")\b//")"
    check "$role: the simulation goes on after step $step_before" within 20 steps_on "$((step_before + 100))"
    check "$role: the flight recorder has a report of it" within 20 has_report "$pid"
}
has_report() { grep -rqs --include=report.md "(process $1) died" /var/lib/rtrd/crashes; }

# stuck ROLE: a process that does nothing any more is found by systemd's watchdog and started again.
stuck() {
    local role=$1 pid
    pid=$(pid_of "$role")
    kill -STOP "$pid"
    check "$role: is stuck, and is started again" within 30 restarted "$role" "$pid"
    check "$role: by the watchdog" said_watchdog "$role"
}
said_watchdog() { journalctl -u "$(unit "$1")" -o cat --no-pager | grep -q 'Watchdog timeout'; }

# The configuration of the running process is changed: it says so in the journal, with the fields by which one finds it, and is the same process.
reload_one() {
    local pid
    pid=$(pid_of dynamics)
    sed -i 's/^hold_forces_ms = .*/hold_forces_ms = 70/' "/etc/rtrd/$instance.toml"
    check "dynamics: systemctl reload" systemctl reload "$(unit dynamics)"
    check "dynamics: has taken the new value over, by the journal's fields" within 10 said_reload
    check "dynamics: is the same process" equal "$pid" "$(pid_of dynamics)"
}
said_reload() { journalctl INSTANCE="$instance" ROLE=dynamics-service EVENT=reload -o json --no-pager | grep -q 'hold_forces_ms: [0-9.]* -> 70'; }

# upgrade_one PACKAGE: of a later version, in which the program of acquisition differs: only that one is restarted.
upgrade_one() {
    local before step_before pid program
    program=$(md5sum </usr/bin/daq-service)
    before=$(pids)
    pid=$(pid_of daq)
    step_before=$(step)
    check "the upgrade installs" dpkg --force-unsafe-io -i "$1"
    check "daq: the new program runs" within 20 restarted daq "$pid"
    check "daq: it is the one of the new package" runs_another daq "$program"
    check "the other two were not touched" equal "${before#* }" "$(pids | cut -d' ' -f2-)"
    check "the simulation goes on" within 20 steps_on "$((step_before + 100))"
}

# runs_another ROLE SUM: the process runs the program that is installed, whose sum is no longer this one.
runs_another() {
    local sum
    sum=$(md5sum </usr/bin/"$1"-service)
    [ "$sum" != "$2" ] && equal "$sum" "$(md5sum <"/proc/$(pid_of "$1")/exe")"
}

all_inactive() { ! systemctl is-active -q "rtrd-*@$instance.service"; }
stop_all() {
    systemctl stop "rtrd@$instance.target"
    check "all units have stopped" within 20 all_inactive
    for role in "${roles[@]}" flight; do
        check "$role: ended well" equal success "$(systemctl show -P Result "$(unit "$role")")"
    done
    check "no region is left in /dev/shm" equal "" "$(ls /dev/shm)"
}
