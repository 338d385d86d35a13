# How late a loop wakes up, ours and cyclictest's in turn, idle and under load; and the gate; sourced.

# In virtual time: three times the latest wake-up that was seen under load on the real-time kernel. See docs/rt-vm.md.
bound_us=150

# latest COLUMN FILE: the latest wake-up in µs in a histogram of `rtrd jitter`.
latest() {
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i; next }
        $column > 0 { latest = $1 == "beyond" ? 20000 : $1 } END { print latest }' "$2"
}

# measure NAME: sets ours_us and cyclictest_us, the latest wake-ups.
measure() {
    local name=$1
    rtrd jitter --sequence alternating --rounds 4 --seconds 1 --period-us 250 --priority 80 --cpu 1 \
        --histogram "$RT_VM_OUT/jitter-$name.csv" --json "$RT_VM_OUT/jitter-$name.json" --plot "$RT_VM_OUT/jitter-$name.svg" \
        >"$RT_VM_OUT/jitter-$name.txt" 2>&1 || { cat "$RT_VM_OUT/jitter-$name.txt"; return 1; }
    ours_us=$(latest ours_alternating "$RT_VM_OUT/jitter-$name.csv")
    cyclictest_us=$(latest cyclictest_alternating "$RT_VM_OUT/jitter-$name.csv")
    note "$name: latest of 4,000 wake-ups each: ours $ours_us µs, cyclictest $cyclictest_us µs (virtual time)"
}

measure_under_load() {
    # Each stressor is given to all CPUs in turn: isolated ones take only what is pinned to them.
    local pids=()
    for cpu in $(seq 0 $(($(nproc --all) - 1))); do
        taskset -c "$cpu" stress-ng --quiet --fork 1 --mmap 1 --mmap-bytes 32m --pipe 1 --hdd 1 --hdd-bytes 16m --temp-path /var/tmp --timeout 600 &
        pids+=($!)
    done
    sleep 1
    measure load
    kill "${pids[@]}"
    wait "${pids[@]}" 2>/dev/null
    return 0
}

gate() {
    check "gate: ours under load is within 1.5 times cyclictest's" is_more "$(awk -v c="$cyclictest_us" 'BEGIN { print 1.5 * c + 0.5 }')" "$ours_us"
    check "gate: both are within $bound_us µs of virtual time" is_more "$((bound_us + 1))" "$((ours_us > cyclictest_us ? ours_us : cyclictest_us))"
}
