/* Writes /plant_outputs/ flat out until standard input ends, in the pattern of tests/support/pattern.rs. Prints the number of the last write.
 *
 * usage: write_flat_out DIRECTORY INSTANCE
 */
#include "rtrd_writer.h"

#include <inttypes.h>
#include <poll.h>

static uint64_t bits(double number) {
    uint64_t word;
    memcpy(&word, &number, sizeof word);
    return word;
}

static void fill(RtrdPlantOutputs *payload, uint64_t sequence) {
    uint64_t count = sequence % 4 == 3 ? sequence % 7 : RTRD_PLANT_OUTPUTS_MAX;
    uint64_t sum = sequence;
    payload->stamp.step = sequence;
    payload->stamp.publish_ns = rtrd_monotonic_ns();
    payload->output_count = count;
    for (uint64_t index = 0; index < count; index++) {
        uint64_t word = sequence * UINT64_C(0x9e3779b97f4a7c15) + index;
        memcpy(&payload->outputs[index], &word, sizeof word);
        sum = (sum << 1 | sum >> 63) ^ bits(payload->outputs[index]);
    }
    payload->status = sum;
}

int main(int count, char **arguments) {
    RtrdRegion region;
    RtrdWriter writer;
    RtrdPlantOutputs payload;
    struct pollfd input = {.fd = 0, .events = POLLIN};
    memset(&payload, 0, sizeof payload);
    if (count != 3 || rtrd_open(&region, arguments[1], arguments[2]) != RTRD_OK) return 1;
    RtrdResult result = rtrd_claim_plant_outputs(&region, &writer);
    if (result != RTRD_OK) {
        fprintf(stderr, "%s\n", rtrd_result_text(result));
        return 3;
    }
    while (poll(&input, 1, 0) == 0) {
        for (int write = 0; write < 1024; write++) {
            fill(&payload, writer.sequence + 1);
            rtrd_publish(&writer, &payload, offsetof(RtrdPlantOutputs, outputs) / 8 + payload.output_count);
        }
    }
    printf("%" PRIu64 "\n", writer.sequence);
    rtrd_release(&writer);
    rtrd_close(&region);
    return 0;
}
