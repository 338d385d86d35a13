# One run of the virtual machine: a command goes in on a disk, its output comes out live, its files on another disk; sourced by
# scripts/rt-vm.

# pack_input FILE COMMAND…: the input disk, a tar archive: what the guest does, the command, and the files of --with under with/.
pack_input() {
    local file=$1 folder=$run/input path
    shift
    mkdir -p "$folder/with" "$folder/out"
    install -m 755 "$here/run-in-guest" "$folder/run"
    printf '%s=(%s)\n' command "${*@Q}" modules "${modules[*]@Q}" accelerator "$accelerator" >"$folder/task"
    [ -z "$package" ] || cp "$package" "$folder/rtrd.deb"
    tar -cf "$file" --format=gnu --mtime=2026-01-01 -C "$folder" .
    for path in "${with[@]}"; do
        path=$(realpath -s "$path")
        tar -rhf "$file" --mtime=2026-01-01 --transform='flags=r;s,^,./with/,' -C "$(dirname "$path")" "$(basename "$path")"
    done
    rm -rf "$folder"
}

# Decides how the machine runs, and makes its saved state where it is emulated; sets root_disk and resume.
make_ready() {
    [ "$accelerator" = auto ] && { kvm_works && accelerator=kvm || accelerator=virtual-time; }
    root_disk="file=$image/root.img,snapshot=on" resume=()
    [ "$accelerator" = kvm ] && return
    part "state-$kind-$cpus-$memory" make_state describe_machine make_disks "$image" "$kernel" "$append" "$needless"
    root_disk="file=$part/root.img,snapshot=on" resume=(-incoming "file:$part/memory")
}

# run COMMAND…: runs the command in a fresh machine and returns its exit code.
run() {
    local began=$SECONDS code status pipes
    make_ready
    tell "starting: $kind kernel $(cat "$kernel/version"), $cpus CPUs, $accelerator"
    run=$(mktemp -d -p "$cache" run.XXXXXX)
    trap 'rm -rf "$run"' EXIT
    pack_input "$run/input.tar" "$@"
    make_disks "$run"
    # The ports' other ends are pipes, so that they can be written whatever our own output is.
    exec 5> >(cat)
    pipes=($!)
    exec 6> >(cat >&2)
    pipes+=($!)
    describe_machine "$run" "$root_disk" "$instruction_shift"
    set +e
    TMPDIR=$run run_qemu "${time_limit:=600}" "${machine[@]}" "${resume[@]}" </dev/null >"$run/qemu.log" 2>&1
    code=$?
    set -e
    exec 5>&- 6>&-
    wait "${pipes[@]}"
    [ -z "$out" ] || bring_out
    status=$(sed -n 's/^exit //p' "$run/status" 2>/dev/null || true)
    if [ -n "$status" ]; then
        tell "the command ended with $status after $((SECONDS - began)) s"
        return "$status"
    fi
    if [ "$code" = 124 ]; then
        tell "stopped after the time limit of $time_limit s (--time-limit); the end of the console:"
        code=$exit_time_limit
    else
        tell "the machine ended ($code) before the command did; the end of the console:"
        code=$exit_machine_failed
    fi
    tail -n 15 "$run/console.log" "$run/qemu.log" | sed 's/^/    | /' >&2
    return "$code"
}

# The files that the command left in $RT_VM_OUT, and the console's log, into the folder of --out.
bring_out() {
    mkdir -p "$out"
    cp "$run/console.log" "$out/console.log"
    tar -xf "$run/output.tar" -C "$out" 2>/dev/null || tell "the machine brought no files out"
}
