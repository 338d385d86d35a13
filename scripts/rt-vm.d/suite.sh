# The project's own suite in the virtual machine, and its controls; sourced by scripts/rt-vm. The suite itself is in tests/rt-vm/.

# The newest package in the target folder; made if there is none or a program is newer.
find_package() {
    local folder=${CARGO_TARGET_DIR:-$root/target}
    package=$(ls -t "$folder"/debian/rtrd_*.deb 2>/dev/null | head -1)
    if [ -z "$package" ] || [ -n "$(find "$root" -path "$root/target" -prune -o \( -name '*.rs' -o -path '*/systemd/*' -o -path '*/packaging/*' \) -newer "$package" -print -quit)" ]; then
        tell "making the package (scripts/package)"
        package=$("$root/scripts/package" | tail -1)
    fi
    [ -f "$package" ] || { tell "there is no package to install"; exit "$exit_machine_failed"; }
}

# in_machine KIND SHIFT PART ARGUMENTS…: a part of the suite on a kernel; sets `code` to its exit code, and what it brings out goes to the
# report's folder. Always in virtual time: the gate is one of virtual time, and on KVM the host's other work would decide it.
in_machine() {
    kind=$1 instruction_shift=$2 out=$report/$3-$1 accelerator=virtual-time with=("$root/tests/rt-vm") modules=(dummy)
    : "${time_limit:=1800}"
    local part=$3
    shift 3
    # Neither in a condition nor in this shell: bash would go on after failures there, or end here.
    set +e
    (set -e; prepare "$kind"; run "./rt-vm/$part" "$@")
    code=$?
    set -e
}

# The checks on the real-time kernel. The emulated machine is fast enough for a vehicle at 1 ns for each instruction; under load, where every
# instruction counts, 4 ns cost a quarter.
suite() {
    report=$cache/report
    rm -rf "$report"
    find_package
    in_machine rt 0 units "$@"
    local units_code=$code
    ((code == exit_cannot_run)) && exit "$code"
    in_machine rt 2 latency
    cat "$report"/*-rt/report.md >"$report/report.md" 2>/dev/null || true
    tell "the report is $report/report.md"
    ((units_code == 0)) || exit "$units_code"
    ((code == 0)) || exit "$code"
}

# The same with things broken on purpose, each of which must be caught, and the gate on the ordinary kernel, where it must fail.
controls() {
    suite --controls
    in_machine ordinary 2 latency
    ((code == exit_cannot_run)) && exit "$code"
    if [ "$code" = 1 ] && grep -q 'FAILED.*: gate: ' "$out/report.md"; then
        tell "control: the gate fails on the ordinary kernel, as it must"
        return
    fi
    tell "control: the run on the ordinary kernel ended with $code and not by the gate, which therefore does not tell kernels apart"
    exit 1
}
