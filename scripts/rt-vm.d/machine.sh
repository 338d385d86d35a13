# The virtual machine as QEMU sees it, and its saved state; sourced by scripts/rt-vm.
#
# A boot in virtual time takes a minute and more. So a machine is booted once, saved while it waits for its input, and every further run
# goes on from there. Each run is still a fresh machine: what it writes to its root is forgotten.

# Whether a machine with KVM is seen to come up and go down again. A device node proves nothing: some hosts have one that does not answer.
kvm_works() {
    local answer
    answer=$cache/kvm-$(cat /proc/sys/kernel/random/boot_id)
    if [ ! -f "$answer" ]; then
        rm -f "$cache"/kvm-*
        if [ -w /dev/kvm ] && [ ! -d /sys/module/kvm_pvm ] && run_qemu 20 -accel kvm -cpu host -m 256M -no-reboot -display none \
            -nodefaults -kernel "$kernel/vmlinuz" -initrd "$kernel/initrd" -append "rt_vm_probe panic=-1 quiet" </dev/null >/dev/null 2>&1; then
            echo yes >"$answer"
        else
            echo no >"$answer"
        fi
    fi
    [ "$(cat "$answer")" = yes ]
}

# run_qemu SECONDS ARGUMENTS…: QEMU from the tools, with a time limit.
run_qemu() {
    local seconds=$1
    shift
    LD_LIBRARY_PATH=$tools/usr/lib/x86_64-linux-gnu:$tools/lib/x86_64-linux-gnu timeout --foreground -k 5 "$seconds" \
        "$tools/usr/bin/qemu-system-x86_64" -L "$tools/usr/share/qemu" -L "$tools/usr/share/seabios" "$@"
}

# describe_machine FOLDER ROOT: sets `machine` to QEMU's arguments. Input, output, console and status are files in FOLDER; file
# descriptors 5 and 6 take the command's output.
describe_machine() {
    local folder=$1 root_disk=$2 shift=$3 last=$((cpus - 1)) isolation=''
    ((last > 0)) && isolation="isolcpus=managed_irq,domain,1-$last nohz_full=1-$last rcu_nocbs=1-$last irqaffinity=0"
    machine=(
        -smp "$cpus" -m "$memory" -no-reboot -display none -nodefaults -vga none -net none
        -kernel "$kernel/vmlinuz" -initrd "$kernel/initrd"
        -append "console=ttyS0 quiet panic=-1 edd=off mitigations=off net.ifnames=0 systemd.show_status=0 $needless $isolation $append"
        -serial "file:$folder/console.log"
        -drive "$root_disk,format=raw,if=virtio"
        -drive "file=$kernel/modules.img,format=raw,if=virtio,readonly=on"
        -drive "file=$folder/input.tar,format=raw,if=virtio,cache=unsafe"
        -drive "file=$folder/output.tar,format=raw,if=virtio,cache=unsafe"
        -device virtio-serial-pci -add-fd fd=5,set=5 -add-fd fd=6,set=6
        -chardev file,id=stdout,path=/dev/fdset/5,append=on -device virtserialport,chardev=stdout,name=rt-vm.stdout
        -chardev file,id=stderr,path=/dev/fdset/6,append=on -device virtserialport,chardev=stderr,name=rt-vm.stderr
        -chardev "file,id=status,path=$folder/status" -device virtserialport,chardev=status,name=rt-vm.status
    )
    if [ "$accelerator" = kvm ]; then
        machine+=(-accel kvm -cpu host)
    else
        # Every instruction takes 2^shift ns of the guest's time, whatever it takes here; idle time is skipped.
        machine+=(-accel tcg,thread=single -icount "shift=$shift,sleep=off" -rtc "base=2026-01-01,clock=vm" -cpu max)
    fi
}

# Modules of devices that this machine has or seems to have, and that are not needed: loading them costs seconds.
needless=modprobe.blacklist=kvm,kvm_amd,kvm_intel,ata_piix,ata_generic,psmouse,floppy,pcspkr,i2c_piix4,drm,bochs,cirrus

# Disks of a fixed size, because a saved machine remembers the size.
make_disks() { truncate -s 8G "$1/input.tar" "$1/output.tar"; }

# A machine that has booted and waits for its input: its memory and its root disk.
make_state() {
    local control=$PWD/control
    cp --sparse=always "$image/root.img" root.img
    make_disks .
    mkfifo control
    describe_machine . file=root.img,cache=unsafe 0
    (run_qemu 600 "${machine[@]}" -monitor stdio <control 5>/dev/null 6>/dev/null) &
    exec 7>control
    until grep -q ready status 2>/dev/null; do
        kill -0 $! || { tail -n 5 console.log; return 1; }
        sleep 0.5
    done
    printf '%s\n' "migrate file:$PWD/memory" quit >&7
    wait $!
    exec 7>&-
    rm -f control input.tar output.tar
    [ -s memory ]
}
