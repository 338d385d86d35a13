/* Opens a region to take part, says so, and stays until its input ends. Then says whether the region has been removed.
 *
 * usage: take_part DIRECTORY INSTANCE
 */
#include "rtrd_reader.h"

int main(int count, char **arguments) {
    RtrdRegion region;
    if (count != 3 || rtrd_open(&region, arguments[1], arguments[2]) != RTRD_OK) return 1;
    puts("takes part");
    fflush(stdout);
    while (getchar() != EOF) {
    }
    puts(rtrd_is_removed(&region) ? "removed" : "still there");
    rtrd_close(&region);
    return 0;
}
