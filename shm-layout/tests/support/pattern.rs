//! A payload in which every word follows from the number of its write: one word of another write,
//! and it shows.
#![allow(dead_code, reason = "each program uses its part")]

use shm_layout::blocks::{PLANT_OUTPUTS_MAX, PlantOutputs};
use shm_layout::clock::monotonic_ns;

/// How many outputs write number `sequence` uses: mostly all, in between only a few, so that what a
/// longer write left behind shows as well.
fn count(sequence: u64) -> usize {
    match sequence % 4 {
        3 => (sequence % 7) as usize,
        _ => PLANT_OUTPUTS_MAX,
    }
}

/// Output `index` of write number `sequence`. The factor is odd, so no two writes have the same.
fn output(sequence: u64, index: usize) -> u64 {
    sequence.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(index as u64)
}

fn checksum(payload: &PlantOutputs, count: usize) -> u64 {
    let outputs = payload.outputs[..count].iter();
    outputs.fold(payload.stamp.step, |sum, output| sum.rotate_left(1) ^ output.to_bits())
}

/// Makes the payload that of write number `sequence`.
pub fn fill(payload: &mut PlantOutputs, sequence: u64) {
    let count = count(sequence);
    payload.stamp.step = sequence;
    payload.stamp.publish_ns = monotonic_ns();
    payload.output_count = count as u64;
    for (index, word) in payload.outputs[..count].iter_mut().enumerate() {
        *word = f64::from_bits(output(sequence, index));
    }
    payload.status = checksum(payload, count);
}

/// Whether the payload is write number `sequence`, whole, with nothing behind what is used.
pub fn is_whole(payload: &PlantOutputs, sequence: u64) -> bool {
    let count = count(sequence);
    let (used, rest) = payload.outputs.split_at(count);
    payload.stamp.step == sequence
        && payload.output_count == count as u64
        && payload.status == checksum(payload, count)
        && used.iter().enumerate().all(|(index, word)| word.to_bits() == output(sequence, index))
        && rest.iter().all(|word| word.to_bits() == 0)
}
