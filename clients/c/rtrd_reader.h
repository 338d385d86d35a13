/* A reader of the shared region for C11 programs; everything is in this header.
 *
 *     RtrdRegion region;
 *     RtrdSnapshot snapshot;
 *     RtrdDriverInput driver;
 *     RtrdResult result = rtrd_observe(&region, NULL, "default");
 *     if (result == RTRD_OK) {
 *         result = rtrd_read_driver(&region, &driver, &snapshot);
 *         ...
 *         rtrd_close(&region);
 *     }
 *
 * There is one function rtrd_read_NAME for each block. A read takes a bounded number of attempts, whatever the writer
 * does, and a snapshot that was read is whole. The protocol is explained in shm-layout/src/slots.rs; the numbers in the
 * comments below are those of its steps.
 *
 * Include this header before any other, or compile with -D_GNU_SOURCE.
 */
#ifndef RTRD_READER_H
#define RTRD_READER_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "rtrd.h"

#ifndef F_OFD_SETLK
#error "include rtrd_reader.h before any other header, or compile with -D_GNU_SOURCE"
#endif
static_assert(sizeof(_Atomic uint64_t) == 8 && ATOMIC_LLONG_LOCK_FREE == 2, "words must be atomic without a lock");

/* How an operation ended. */
typedef enum RtrdResult {
    RTRD_OK = 0,
    RTRD_BAD_NAME,     /* not the name of an instance */
    RTRD_NOT_FOUND,    /* no region of that name */
    RTRD_FORBIDDEN,    /* this user may not open it */
    RTRD_NOT_A_REGION, /* something else bears the name */
    RTRD_OTHER_LAYOUT, /* made by a program with another layout; see found_hash and found_version */
    RTRD_SYSTEM,       /* the operating system refused; see errno */
    RTRD_EMPTY,        /* nothing has been published in the block yet */
    RTRD_OVERTAKEN,    /* the writer overtook every attempt; try again later */
    RTRD_OWNED,        /* another process writes the block */
    RTRD_LATE          /* the deadline passed, or a signal came */
} RtrdResult;

/* An open region. */
typedef struct RtrdRegion {
    int file;
    const void *memory;
    uint64_t found_version; /* layout of the region that was found */
    uint64_t found_hash;
} RtrdRegion;

/* What is known of a snapshot beside its payload. */
typedef struct RtrdSnapshot {
    uint64_t sequence;   /* which write it is */
    uint32_t generation; /* which owner of the block wrote it */
    uint32_t attempts;   /* how many attempts the copy took */
    size_t used_words;   /* how many words of the payload are in use; the rest is zero */
} RtrdSnapshot;

/* A result for people. */
static inline const char *rtrd_result_text(RtrdResult result) {
    switch (result) {
    case RTRD_OK: return "all is well";
    case RTRD_BAD_NAME: return "an instance name has 1 to 64 letters, digits, '-' or '_'";
    case RTRD_NOT_FOUND: return "nothing runs under that instance name (start it with `rtrd run`)";
    case RTRD_FORBIDDEN: return "this user may not open the region; it must be in the region's group";
    case RTRD_NOT_A_REGION: return "what bears the name is not a region of rtrd";
    case RTRD_OTHER_LAYOUT: return "the region has another layout; compile with the header of the same build";
    case RTRD_SYSTEM: return "the operating system refused";
    case RTRD_EMPTY: return "nothing has been published in the block yet";
    case RTRD_OVERTAKEN: return "the writer overtook every attempt";
    case RTRD_OWNED: return "another process writes the block (`rtrd top` shows which)";
    case RTRD_LATE: return "the deadline passed";
    }
    return "unknown result";
}

/* The file of an instance's region; the buffer must hold RTRD_PATH_BYTES. */
#define RTRD_PATH_BYTES 4096
static inline RtrdResult rtrd_path(char *path, const char *directory, const char *instance) {
    static const char good[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    size_t length = strlen(instance);
    if (length < 1 || length > 64 || strspn(instance, good) != length) return RTRD_BAD_NAME;
    if (directory == NULL) directory = RTRD_SHARED_MEMORY_DIRECTORY;
    int written = snprintf(path, RTRD_PATH_BYTES, "%s/" RTRD_FILE_PREFIX "%s", directory, instance);
    return written > 0 && written < RTRD_PATH_BYTES ? RTRD_OK : RTRD_BAD_NAME;
}

/* Takes the shared lock that says "somebody takes part"; 0 if somebody is just removing the region. */
static inline int rtrd_try_join(int file) {
    struct flock lock;
    memset(&lock, 0, sizeof lock);
    lock.l_type = F_RDLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = RTRD_IN_USE_BYTE;
    lock.l_len = 1;
    return fcntl(file, F_OFD_SETLK, &lock) == 0;
}

/* Checks everything about the file before any of it is mapped. */
static inline RtrdResult rtrd_check(RtrdRegion *region) {
    RtrdHeader header;
    struct stat status;
    if (fstat(region->file, &status) != 0) return RTRD_SYSTEM;
    if (!S_ISREG(status.st_mode)) return RTRD_NOT_A_REGION;
    ssize_t length = pread(region->file, &header, sizeof header, 0);
    if (length != (ssize_t)sizeof header || header.magic != RTRD_MAGIC) return RTRD_NOT_A_REGION;
    region->found_version = header.layout_version;
    region->found_hash = header.layout_hash;
    if (header.layout_version != RTRD_LAYOUT_VERSION || header.layout_hash != RTRD_LAYOUT_HASH)
        return RTRD_OTHER_LAYOUT;
    return status.st_size == RTRD_REGION_BYTES ? RTRD_OK : RTRD_NOT_A_REGION;
}

static inline RtrdResult rtrd_open_error(void) {
    switch (errno) {
    case ENOENT: return RTRD_NOT_FOUND;
    case EACCES:
    case EPERM: return RTRD_FORBIDDEN;
    case ELOOP: /* a symbolic link */
    case ENXIO: return RTRD_NOT_A_REGION;
    default: return RTRD_SYSTEM;
    }
}

/* Closes the region. */
static inline void rtrd_close(RtrdRegion *region) {
    if (region->memory != NULL) munmap((void *)region->memory, RTRD_REGION_BYTES);
    if (region->file >= 0) close(region->file);
    region->memory = NULL;
    region->file = -1;
}

/* Opens the file by name and, to take part, joins. */
static inline RtrdResult rtrd_find(RtrdRegion *region, const char *path, int take_part) {
    /* Without O_NONBLOCK a named pipe of that name would hold us for ever. */
    const int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    for (int look = 0; look < 100; look++) {
        struct stat status;
        region->file = open(path, flags);
        if (region->file < 0) return rtrd_open_error();
        if (!take_part) return RTRD_OK;
        /* Somebody may be removing it, or have removed it just before we had the lock. */
        if (rtrd_try_join(region->file) && fstat(region->file, &status) == 0 && status.st_nlink > 0) return RTRD_OK;
        rtrd_close(region);
        nanosleep(&(struct timespec){.tv_sec = 0, .tv_nsec = 1000000}, NULL);
    }
    return RTRD_NOT_FOUND;
}

static inline RtrdResult rtrd_open_as(RtrdRegion *region, const char *directory, const char *instance, int take_part) {
    char path[RTRD_PATH_BYTES];
    *region = (RtrdRegion){.file = -1, .memory = NULL, .found_version = 0, .found_hash = 0};
    RtrdResult result = rtrd_path(path, directory, instance);
    if (result == RTRD_OK) result = rtrd_find(region, path, take_part);
    if (result == RTRD_OK) result = rtrd_check(region);
    if (result == RTRD_OK) {
        void *memory = mmap(NULL, RTRD_REGION_BYTES, PROT_READ, MAP_SHARED | MAP_POPULATE, region->file, 0);
        if (memory != MAP_FAILED) region->memory = memory;
        else result = RTRD_SYSTEM;
    }
    if (result != RTRD_OK) {
        int error = errno;
        rtrd_close(region);
        errno = error;
    }
    return result;
}

/* Opens a region to take part: it is not removed as long as it is open. The directory may be NULL. */
static inline RtrdResult rtrd_open(RtrdRegion *region, const char *directory, const char *instance) {
    return rtrd_open_as(region, directory, instance, 1);
}

/* Opens a region only to look at it, without taking part. The directory may be NULL. */
static inline RtrdResult rtrd_observe(RtrdRegion *region, const char *directory, const char *instance) {
    return rtrd_open_as(region, directory, instance, 0);
}

/* Whether the region has lost its name: the run it belonged to is over. */
static inline int rtrd_is_removed(const RtrdRegion *region) {
    struct stat status;
    return fstat(region->file, &status) != 0 || status.st_nlink == 0;
}

/* Copies the newest whole payload of the block at this offset. The payload is to be used only after RTRD_OK. */
static inline RtrdResult rtrd_read(const RtrdRegion *region, size_t offset_bytes, size_t payload_words,
                                   size_t slot_words, void *payload, RtrdSnapshot *snapshot) {
    const char *start = (const char *)region->memory + offset_bytes;
    /* Only ever loaded: the mapping is read-only. */
    _Atomic uint64_t *control = (_Atomic uint64_t *)(uintptr_t)start;
    for (uint32_t attempt = 1; attempt <= RTRD_ATTEMPTS; attempt++) {
        uint64_t sequence = atomic_load_explicit(&control[RTRD_CONTROL_PUBLISHED], memory_order_relaxed); /* (5) */
        atomic_thread_fence(memory_order_acquire); /* (6) */
        if (sequence == 0) return RTRD_EMPTY;
        _Atomic uint64_t *slot = control + RTRD_CONTROL_WORDS + (sequence % RTRD_SLOTS) * slot_words;
        uint64_t header = atomic_load_explicit(&slot[1], memory_order_relaxed);
        size_t used_words = (uint32_t)header;
        if (used_words > payload_words) used_words = payload_words;
        for (size_t index = 0; index < used_words; index++) {
            uint64_t word = atomic_load_explicit(&slot[RTRD_SLOT_HEADER_WORDS + index], memory_order_relaxed); /* (7) */
            memcpy((char *)payload + index * sizeof word, &word, sizeof word);
        }
        atomic_thread_fence(memory_order_acquire); /* (8) */
        if (atomic_load_explicit(&slot[0], memory_order_relaxed) == sequence) { /* (9) */
            memset((char *)payload + used_words * 8, 0, (payload_words - used_words) * 8);
            *snapshot = (RtrdSnapshot){sequence, (uint32_t)(header >> 32), attempt, used_words};
            return RTRD_OK;
        }
    }
    return RTRD_OVERTAKEN;
}

/* One function for each block: rtrd_read_driver(&region, &driver, &snapshot), and so on. */
#define RTRD_READ_FUNCTION(CONSTANT, name, Type)                                                                       \
    static inline RtrdResult rtrd_read_##name(const RtrdRegion *region, Type *payload, RtrdSnapshot *snapshot) {       \
        return rtrd_read(region, RTRD_BLOCK_##CONSTANT##_OFFSET_BYTES, RTRD_BLOCK_##CONSTANT##_PAYLOAD_WORDS,          \
                         RTRD_BLOCK_##CONSTANT##_SLOT_WORDS, payload, snapshot);                                       \
    }
RTRD_BLOCKS(RTRD_READ_FUNCTION)
#undef RTRD_READ_FUNCTION

/* The clock of every stamp. */
static inline uint64_t rtrd_monotonic_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* How long ago a payload was published. */
static inline uint64_t rtrd_age_ns(const RtrdStamp *stamp) {
    uint64_t now_ns = rtrd_monotonic_ns();
    return now_ns > stamp->publish_ns ? now_ns - stamp->publish_ns : 0;
}

#endif /* RTRD_READER_H */
