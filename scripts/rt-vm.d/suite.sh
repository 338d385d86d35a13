# The project's own suite in the virtual machine, and its controls; sourced by scripts/rt-vm. The suite itself is in tests/rt-vm/.

# The package of --package; otherwise the newest in the target folder, made anew if something that goes into it is newer.
find_package() {
    local folder=${CARGO_TARGET_DIR:-$root/target} code=0
    [ -z "$package" ] || return 0
    package=$(find "$folder/debian" -name 'rtrd_*.deb' -printf '%T@ %p\n' 2>/dev/null | sort -n | tail -1 | cut -d' ' -f2-)
    if [ -z "$package" ] || is_older "$package"; then
        tell "making the package (scripts/package)"
        package=$("$root/scripts/package" | tail -1) || code=$?
        [ "$code" != 3 ] || cannot_run "cargo-deb cannot be downloaded, which makes the package"
        ((code == 0)) || { tell "the package could not be made"; exit "$exit_machine_failed"; }
    fi
    [ -f "$package" ] || { tell "there is no package to install"; exit "$exit_machine_failed"; }
}

# The same package without compression and without the programs' line tables, three quarters of it: to unpack it would take the emulator
# minutes, in every machine. And a later version of it, to upgrade to.
lighten_package() {
    local folder=$report/package
    dpkg-deb -R "$package" "$folder"
    ! command -v strip >/dev/null || strip --strip-debug "$folder"/usr/bin/*
    package=$report/$(basename "$package") later_package=$report/later.deb
    dpkg-deb -Znone --root-owner-group -b "$folder" "$package" >/dev/null
    later_version "$folder"
    dpkg-deb -Znone --root-owner-group -b "$folder" "$later_package" >/dev/null
    rm -rf "$folder"
}

# is_older PACKAGE: whether something of which it is made has changed since.
is_older() {
    [ -n "$(find "$root" \( -path "$root/target" -o -path "$root/.git" \) -prune -o -type f -newer "$1" \( -name '*.rs' -o -name 'Cargo.*' \
        -o -path "$root/systemd/*" -o -path "$root/packaging/*" -o -path "$root/models/*" -o -path "$root/docs/*.md" \) -print -quit)" ]
}

# in_machine KIND SHIFT PART ARGUMENTS…: a part of the suite on a kernel; its exit code and what it brings out go to the report's folder.
in_machine() {
    kind=$1 instruction_shift=$2 out=$report/$3-$1 with=("$root/tests/rt-vm" ${package_beside:+"$package_beside"}) modules=(dummy)
    local part_of_suite=$3
    shift 3
    : "${time_limit:=1800}"
    # Neither in a condition nor in this shell: bash would go on after failures there, or end here.
    set +e
    (set -e; prepare "$kind"; run "./rt-vm/$part_of_suite" "$@")
    echo $? >"$out.code"
    set -e
}

# run_parts KERNEL_OF_CONTROL ARGUMENTS_OF_UNITS…: the parts, two at a time: in virtual time they do not disturb each other. The emulated
# processor is fast enough for a vehicle at 1 ns for each instruction; under load, where the emulator's work is what counts, 4 ns cost a quarter.
run_parts() {
    local control=$1 began=$SECONDS
    shift
    # Virtual time also where there is KVM: the gate is one of virtual time, and on KVM the host's other work would decide it.
    report=$cache/report accelerator=virtual-time
    rm -rf "$report"
    find_package
    for kind in rt $control; do prepare "$kind"; make_ready; done
    mkdir -p "$report"
    lighten_package
    { for kind in rt $control; do in_machine "$kind" 2 latency; done; on_the_car_pc; } >"$report/others.log" 2>&1 &
    package_beside=$later_package in_machine rt 0 units ./later.deb "$@" 2>&1 | tee "$report/units.log"
    tell "waiting for the parts that run beside: latency, car_pc"
    wait $!
    cat "$report/others.log"
    cat "$report"/*-rt/report.md >"$report/report.md"
    times >"$report/times"
    tell "the report is $report/report.md; $((SECONDS - began)) s by the clock, $(computing_time "$report/times") s of computing"
}

# This part installs the package itself, to see what was there before.
on_the_car_pc() {
    local package_beside=$package package=
    in_machine rt 0 car_pc "./$(basename "$package_beside")"
}

# computing_time TIMES: seconds of computing of all children, from what the shell's `times` said.
computing_time() { awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, part, /[ms]/); sum += 60 * part[1] + part[2] } printf "%.0f\n", sum }' "$1"; }

code_of() { cat "$report/$1.code" 2>/dev/null || echo "$exit_machine_failed"; }

suite() {
    local part
    run_parts "" "$@"
    for part in units-rt latency-rt car_pc-rt; do
        [ "$(code_of "$part")" = 0 ] || { tell "$part: ended with $(code_of "$part")"; exit "$(code_of "$part")"; }
    done
}

# The suite, the same with things broken on purpose, each of which must be caught, and the gate on the ordinary kernel, where it must fail.
controls() {
    run_parts ordinary --controls
    local failed=0 part
    for part in units-rt latency-rt car_pc-rt; do
        [ "$(code_of "$part")" = 0 ] || { tell "$part: ended with $(code_of "$part")"; failed=1; }
    done
    if [ "$(code_of latency-ordinary)" = 1 ] && grep -q 'FAILED.*: gate: ' "$report/latency-ordinary/report.md"; then
        tell "control: the gate fails on the ordinary kernel, as it must"
    else
        tell "control: the run on the ordinary kernel ended with $(code_of latency-ordinary) and not by the gate, which therefore does not tell kernels apart"
        failed=1
    fi
    ((failed == 0)) || exit 1
}
