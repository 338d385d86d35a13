/* Prints the newest snapshot of a block of a running instance.
 *
 *     cc -std=c11 -O2 -o read_block read_block.c
 *     ./read_block default kinematics
 */
#include "rtrd_reader.h"

#include <inttypes.h>

enum { EXIT_NO_REGION = 1, EXIT_USAGE = 2, EXIT_NO_SNAPSHOT = 3 };

/* One line of a block's list of fields. */
typedef struct Field {
    const char *before;
    const char *after;
    int kind;
    size_t word;
    size_t count;
    size_t stride;
    const char *unit;
} Field;

/* A block, its place and its fields. */
typedef struct Block {
    const char *name;
    size_t offset_bytes;
    size_t payload_words;
    size_t slot_words;
    const Field *fields;
    size_t field_count;
} Block;

/* The header's lists of fields and blocks, as tables. */
#define FIELD(before, after, kind, word, count, stride, unit) {before, after, kind, word, count, stride, unit},
#define FIELD_TABLE(CONSTANT, name, Type) static const Field name##_fields[] = {RTRD_FIELDS_##CONSTANT(FIELD)};
RTRD_BLOCKS(FIELD_TABLE)

#define BLOCK(CONSTANT, name, Type)                                                                                    \
    {#name,                                                                                                            \
     RTRD_BLOCK_##CONSTANT##_OFFSET_BYTES,                                                                             \
     RTRD_BLOCK_##CONSTANT##_PAYLOAD_WORDS,                                                                            \
     RTRD_BLOCK_##CONSTANT##_SLOT_WORDS,                                                                               \
     name##_fields,                                                                                                    \
     sizeof name##_fields / sizeof name##_fields[0]},
static const Block blocks[RTRD_BLOCK_COUNT] = {RTRD_BLOCKS(BLOCK)};

/* Room for the largest payload. */
#define MEMBER(CONSTANT, name, Type) Type name;
typedef union Payload {
    RtrdStamp stamp; /* every payload begins with it */
    RTRD_BLOCKS(MEMBER)
} Payload;

static void usage(FILE *output) {
    fprintf(output,
            "usage: read_block [--directory DIR] INSTANCE BLOCK\n"
            "\n"
            "Prints the newest snapshot of a block, one line for each number that is in use.\n"
            "\n"
            "  INSTANCE          name of a running instance\n"
            "  BLOCK             one of:");
    for (size_t index = 0; index < RTRD_BLOCK_COUNT; index++) fprintf(output, " %s", blocks[index].name);
    fprintf(output,
            "\n"
            "  --directory DIR   folder of the region (default " RTRD_SHARED_MEMORY_DIRECTORY ")\n"
            "  --help            this text\n"
            "\n"
            "Exit status: 0 printed, 1 no such region, 2 wrong usage, 3 no snapshot.\n");
}

static const Block *find_block(const char *name) {
    for (size_t index = 0; index < RTRD_BLOCK_COUNT; index++)
        if (strcmp(blocks[index].name, name) == 0) return &blocks[index];
    return NULL;
}

static void print_number(const Field *field, size_t index, const Payload *payload) {
    const char *bytes = (const char *)payload + (field->word + index * field->stride) * 8;
    printf("%s", field->before);
    if (field->count > 1) printf("[%zu]%s", index, field->after);
    if (field->kind == RTRD_KIND_FLOAT) {
        double number;
        memcpy(&number, bytes, sizeof number);
        printf(" = %.17g", number);
    } else if (field->kind == RTRD_KIND_SIGNED) {
        int64_t number;
        memcpy(&number, bytes, sizeof number);
        printf(" = %" PRId64, number);
    } else {
        uint64_t number;
        memcpy(&number, bytes, sizeof number);
        printf(" = %" PRIu64, number);
    }
    if (strcmp(field->unit, "-") != 0) printf(" %s", field->unit);
    putchar('\n');
}

static void print_fields(const Block *block, const Payload *payload, const RtrdSnapshot *snapshot) {
    printf("/%s/ write %" PRIu64 " of generation %" PRIu32 ", %.6f s old\n", block->name, snapshot->sequence,
           snapshot->generation, (double)rtrd_age_ns(&payload->stamp) * 1e-9);
    for (size_t line = 0; line < block->field_count; line++) {
        const Field *field = &block->fields[line];
        for (size_t index = 0; index < field->count; index++)
            if (field->word + index * field->stride < snapshot->used_words) print_number(field, index, payload);
    }
}

static void explain(const RtrdRegion *region, const char *instance, RtrdResult result) {
    fprintf(stderr, "read_block: %s: %s", instance, rtrd_result_text(result));
    if (result == RTRD_OTHER_LAYOUT)
        fprintf(stderr, " (found %016" PRIx64 " version %" PRIu64 ", expected %016" PRIx64 " version %d)",
                region->found_hash, region->found_version, RTRD_LAYOUT_HASH, RTRD_LAYOUT_VERSION);
    if (result == RTRD_SYSTEM) fprintf(stderr, ": %s", strerror(errno));
    fputc('\n', stderr);
}

static int read_block(const char *directory, const char *instance, const Block *block) {
    RtrdRegion region;
    RtrdSnapshot snapshot;
    Payload payload;
    RtrdResult result = rtrd_observe(&region, directory, instance);
    if (result != RTRD_OK) {
        explain(&region, instance, result);
        return EXIT_NO_REGION;
    }
    result = rtrd_read(&region, block->offset_bytes, block->payload_words, block->slot_words, &payload, &snapshot);
    rtrd_close(&region);
    if (result != RTRD_OK) {
        fprintf(stderr, "read_block: /%s/: %s\n", block->name, rtrd_result_text(result));
        return EXIT_NO_SNAPSHOT;
    }
    print_fields(block, &payload, &snapshot);
    return 0;
}

int main(int count, char **arguments) {
    const char *directory = NULL;
    int next = 1;
    if (next < count && strcmp(arguments[next], "--help") == 0) {
        usage(stdout);
        return 0;
    }
    if (next + 1 < count && strcmp(arguments[next], "--directory") == 0) {
        directory = arguments[next + 1];
        next += 2;
    }
    if (count - next != 2 || arguments[next][0] == '-') {
        usage(stderr);
        return EXIT_USAGE;
    }
    const Block *block = find_block(arguments[next + 1]);
    if (block == NULL) {
        fprintf(stderr, "read_block: no block %s; --help lists them\n", arguments[next + 1]);
        return EXIT_USAGE;
    }
    return read_block(directory, arguments[next], block);
}
