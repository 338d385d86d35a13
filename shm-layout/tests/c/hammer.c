/* Reads /plant_outputs/ so often while another process writes it flat out, and holds every snapshot against the pattern
 * of tests/support/pattern.rs. Prints reads, torn snapshots, snapshots that were newer than the one before, and reads in
 * which the writer overtook every attempt.
 *
 * usage: hammer DIRECTORY INSTANCE READS
 */
#include "rtrd_reader.h"

#include <inttypes.h>
#include <stdlib.h>

static int is_whole(const RtrdPlantOutputs *payload, uint64_t sequence) {
    uint64_t count = sequence % 4 == 3 ? sequence % 7 : RTRD_PLANT_OUTPUTS_MAX;
    if (payload->stamp.step != sequence || payload->output_count != count) return 0;
    for (uint64_t index = 0; index < RTRD_PLANT_OUTPUTS_MAX; index++) {
        uint64_t expected = index < count ? sequence * UINT64_C(0x9e3779b97f4a7c15) + index : 0;
        if (memcmp(&payload->outputs[index], &expected, sizeof expected) != 0) return 0;
    }
    return 1;
}

int main(int count, char **arguments) {
    RtrdRegion region;
    RtrdPlantOutputs payload;
    uint64_t torn = 0, fresh = 0, overtaken = 0, last = 0;
    if (count != 4 || rtrd_observe(&region, arguments[1], arguments[2]) != RTRD_OK) return 1;
    uint64_t reads = strtoull(arguments[3], NULL, 10);
    for (uint64_t read = 0; read < reads; read++) {
        RtrdSnapshot snapshot;
        RtrdResult result = rtrd_read_plant_outputs(&region, &payload, &snapshot);
        overtaken += result == RTRD_OVERTAKEN;
        if (result != RTRD_OK) continue;
        torn += snapshot.sequence < last || snapshot.attempts > RTRD_ATTEMPTS || !is_whole(&payload, snapshot.sequence);
        fresh += snapshot.sequence > last;
        last = snapshot.sequence;
    }
    printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", reads, torn, fresh, overtaken);
    rtrd_close(&region);
    return 0;
}
