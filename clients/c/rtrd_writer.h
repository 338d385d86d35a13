/* A writer of the shared region for C11 programs, beside rtrd_reader.h; everything is in this header.
 *
 *     RtrdWriter writer;
 *     RtrdResult result = rtrd_claim_external_powertrain(&region, &writer);
 *     if (result == RTRD_OK) {
 *         result = rtrd_wait_kinematics(&region, known_sequence, deadline_ns, &kinematics, &snapshot);
 *         ...
 *         rtrd_publish_external_powertrain(&writer, &external);
 *         rtrd_release(&writer);
 *     }
 *
 * There are rtrd_claim_NAME, rtrd_publish_NAME and rtrd_wait_NAME for each block. A block has one writer: the right to write is
 * a lock that the kernel takes back however the process ends. Only the pages of the claimed block are writable. A publication
 * never waits; readers never see half of one. The protocol is explained in shm-layout/src/slots.rs; the numbers in the
 * comments below are those of its steps.
 *
 * Include this header before any other, or compile with -D_GNU_SOURCE.
 */
#ifndef RTRD_WRITER_H
#define RTRD_WRITER_H

#include "rtrd_reader.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>

/* The right to write one block. */
typedef struct RtrdWriter {
    int file; /* holds the lock */
    void *memory;
    size_t bytes;
    size_t payload_words;
    size_t slot_words;
    uint64_t sequence; /* of the last whole write, by this owner or one before it */
    uint32_t generation;
} RtrdWriter;

/* Bytes of a block: its control words and its slots, in whole pages. */
static inline size_t rtrd_block_bytes(size_t slot_words) {
    const size_t page = 4096;
    size_t bytes = (RTRD_CONTROL_WORDS + RTRD_SLOTS * slot_words) * 8;
    return (bytes + page - 1) / page * page;
}

/* Gives the block back. Nothing is lost: readers keep the last whole snapshot, and the next owner goes on after it. */
static inline void rtrd_release(RtrdWriter *writer) {
    if (writer->memory != NULL) {
        _Atomic uint64_t *control = writer->memory;
        atomic_store_explicit(&control[RTRD_CONTROL_OWNER_PID], 0, memory_order_release);
        munmap(writer->memory, writer->bytes);
    }
    if (writer->file >= 0) close(writer->file);
    writer->memory = NULL;
    writer->file = -1;
}

/* Opens the region again for writing, with a lock of its own on the block's first byte. */
static inline RtrdResult rtrd_lock_block(const RtrdRegion *region, size_t offset_bytes, int *file) {
    char path[64];
    struct flock lock;
    snprintf(path, sizeof path, "/proc/self/fd/%d", region->file);
    *file = open(path, O_RDWR | O_CLOEXEC);
    if (*file < 0) return rtrd_open_error();
    memset(&lock, 0, sizeof lock);
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = (off_t)offset_bytes;
    lock.l_len = 1;
    if (fcntl(*file, F_OFD_SETLK, &lock) == 0) return RTRD_OK;
    return errno == EAGAIN || errno == EACCES ? RTRD_OWNED : RTRD_SYSTEM;
}

/* Takes the right to write the block at this offset; RTRD_OWNED if another process has it. */
static inline RtrdResult rtrd_claim(const RtrdRegion *region, size_t offset_bytes, size_t payload_words,
                                    size_t slot_words, RtrdWriter *writer) {
    *writer = (RtrdWriter){.file = -1, .memory = NULL, .payload_words = payload_words, .slot_words = slot_words};
    writer->bytes = rtrd_block_bytes(slot_words);
    RtrdResult result = rtrd_lock_block(region, offset_bytes, &writer->file);
    if (result == RTRD_OK) {
        void *memory = mmap(NULL, writer->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, writer->file,
                            (off_t)offset_bytes);
        if (memory != MAP_FAILED) writer->memory = memory;
        else result = RTRD_SYSTEM;
    }
    if (result != RTRD_OK) {
        int error = errno;
        rtrd_release(writer);
        errno = error;
        return result;
    }
    _Atomic uint64_t *control = writer->memory;
    uint64_t generation = atomic_load_explicit(&control[RTRD_CONTROL_GENERATION], memory_order_relaxed) + 1;
    atomic_store_explicit(&control[RTRD_CONTROL_GENERATION], generation, memory_order_relaxed);
    atomic_store_explicit(&control[RTRD_CONTROL_OWNED_SINCE_NS], rtrd_monotonic_ns(), memory_order_relaxed);
    atomic_store_explicit(&control[RTRD_CONTROL_OWNER_PID], (uint64_t)getpid(), memory_order_release);
    writer->generation = (uint32_t)generation;
    /* Only whole writes count: what a dead owner left half written is overwritten and never looked at. */
    writer->sequence = atomic_load_explicit(&control[RTRD_CONTROL_PUBLISHED], memory_order_relaxed);
    return RTRD_OK;
}

/* Makes the first words of this payload the block's newest snapshot, and wakes those who sleep until then. */
static inline void rtrd_publish(RtrdWriter *writer, const void *payload, size_t used_words) {
    _Atomic uint64_t *control = writer->memory;
    uint64_t sequence = ++writer->sequence;
    _Atomic uint64_t *slot = control + RTRD_CONTROL_WORDS + (sequence % RTRD_SLOTS) * writer->slot_words;
    if (used_words > writer->payload_words) used_words = writer->payload_words;
    atomic_store_explicit(&slot[0], sequence, memory_order_relaxed); /* (1) */
    atomic_thread_fence(memory_order_release);                       /* (2) */
    atomic_store_explicit(&slot[1], (uint64_t)writer->generation << 32 | used_words, memory_order_relaxed);
    for (size_t index = 0; index < used_words; index++) {
        uint64_t word;
        memcpy(&word, (const char *)payload + index * sizeof word, sizeof word);
        atomic_store_explicit(&slot[RTRD_SLOT_HEADER_WORDS + index], word, memory_order_relaxed); /* (3) */
    }
    atomic_store_explicit(&control[RTRD_CONTROL_PUBLISHED], sequence, memory_order_release); /* (4) */
    syscall(SYS_futex, (void *)&control[RTRD_CONTROL_PUBLISHED], FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* Sleeps until the block at this offset has another snapshot than the known one, and copies it; RTRD_LATE when the deadline
 * (monotonic) passed or a signal came. */
static inline RtrdResult rtrd_wait(const RtrdRegion *region, size_t offset_bytes, size_t payload_words,
                                   size_t slot_words, uint64_t known_sequence, uint64_t deadline_ns, void *payload,
                                   RtrdSnapshot *snapshot) {
    const char *start = (const char *)region->memory + offset_bytes;
    /* Only ever loaded: the mapping is read-only. */
    _Atomic uint64_t *published = (_Atomic uint64_t *)(uintptr_t)start + RTRD_CONTROL_PUBLISHED;
    struct timespec deadline = {.tv_sec = (time_t)(deadline_ns / UINT64_C(1000000000)),
                                .tv_nsec = (long)(deadline_ns % UINT64_C(1000000000))};
    while (atomic_load_explicit(published, memory_order_relaxed) == known_sequence) {
        /* The low half of the word comes first on the machines that rtrd runs on. */
        long woken = syscall(SYS_futex, (void *)published, FUTEX_WAIT_BITSET, (uint32_t)known_sequence, &deadline, NULL,
                             FUTEX_BITSET_MATCH_ANY);
        if (woken != 0 && errno != EAGAIN) return RTRD_LATE;
    }
    return rtrd_read(region, offset_bytes, payload_words, slot_words, payload, snapshot);
}

/* Three functions for each block. rtrd_publish_NAME publishes the whole payload; rtrd_publish its used part. */
#define RTRD_WRITE_FUNCTIONS(CONSTANT, name, Type)                                                                     \
    static inline RtrdResult rtrd_claim_##name(const RtrdRegion *region, RtrdWriter *writer) {                         \
        return rtrd_claim(region, RTRD_BLOCK_##CONSTANT##_OFFSET_BYTES, RTRD_BLOCK_##CONSTANT##_PAYLOAD_WORDS,         \
                          RTRD_BLOCK_##CONSTANT##_SLOT_WORDS, writer);                                                 \
    }                                                                                                                  \
    static inline void rtrd_publish_##name(RtrdWriter *writer, const Type *payload) {                                  \
        rtrd_publish(writer, payload, RTRD_BLOCK_##CONSTANT##_PAYLOAD_WORDS);                                          \
    }                                                                                                                  \
    static inline RtrdResult rtrd_wait_##name(const RtrdRegion *region, uint64_t known_sequence, uint64_t deadline_ns, \
                                              Type *payload, RtrdSnapshot *snapshot) {                                 \
        return rtrd_wait(region, RTRD_BLOCK_##CONSTANT##_OFFSET_BYTES, RTRD_BLOCK_##CONSTANT##_PAYLOAD_WORDS,          \
                         RTRD_BLOCK_##CONSTANT##_SLOT_WORDS, known_sequence, deadline_ns, payload, snapshot);          \
    }
RTRD_BLOCKS(RTRD_WRITE_FUNCTIONS)
#undef RTRD_WRITE_FUNCTIONS

#endif /* RTRD_WRITER_H */
