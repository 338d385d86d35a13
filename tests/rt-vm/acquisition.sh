#!/usr/bin/env bash
# The sources of acquisition on the kernel's virtual devices, in the virtual machine: vcan, uinput, comedi_test, and an INA226 on i2c-stub.
#
# tests/rt-vm/acquisition.sh            builds the test, starts the machine and runs it there
# tests/rt-vm/acquisition.sh --inside   in the machine: makes the devices and runs the test, which is in the working folder
set -euo pipefail

if [ "${1:-}" = --inside ]; then
    shift
    chmod +x ./kernel_devices ./busybox
    ln -sf busybox i2cset
    export PATH=$PWD:$PATH
    # The driver has its name in common with one of hwmon: it must be there before the chip is.
    modprobe ina2xx-adc
    modprobe i2c-stub chip_addr=0x40
    modprobe i2c-dev
    bus=$(grep -l 'SMBus stub driver' /sys/bus/i2c/devices/i2c-*/name | sed 's|.*/i2c-\([0-9]*\)/name|\1|')
    echo ina226 0x40 >"/sys/bus/i2c/devices/i2c-$bus/new_device"
    # The emulated chip never says that a conversion is ready.
    for file in /sys/bus/iio/devices/iio:device*/in_allow_async_readout; do echo 1 >"$file"; done
    RTRD_DEVICES=required exec ./kernel_devices --test-threads=1 "$@"
fi

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"
target=${CARGO_TARGET_DIR:-$root/target}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
program=$(cargo test -p acquisition --test kernel_devices --no-run --message-format=json |
    sed -n 's/.*"executable":"\([^"]*kernel_devices[^"]*\)".*/\1/p' | tail -n 1)
cp "$program" "$work/kernel_devices"
scripts/rt-vm prepare
cp "$target"/rt-vm/tools-*/bin/busybox "$work/busybox"
scripts/rt-vm --module vcan --module uinput --module comedi_test \
    --with "$work/kernel_devices" --with "$work/busybox" --with "$root/tests/rt-vm/acquisition.sh" \
    -- bash ./acquisition.sh --inside "$@"
