/* Remembers what was written and not yet synchronised, so that a power cut can take it back.
 *
 * Preloaded into PostgreSQL. Before each write to a regular file of the folder UNSYNCED_DIR, what
 * stood there goes into the log UNSYNCED_LOG, and behind each fsync that returned a note that all
 * before it is safe (tests/ha/power.py reads it). The order of the two is such that the log takes a
 * write for safe rather than a safe one for lost. Names of files (rename, unlink) are not lost.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

struct note {
    uint32_t kind; /* 'W'rite, 'F'sync, 'N'ew file, 'S'ync of all */
    uint32_t length; /* of the bytes behind it */
    uint64_t inode;
    int64_t offset, size; /* of the file, before the write */
};

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int log_file = -1;
static dev_t device;

static int is_ours(int file, struct stat *status)
{
    static int looked = 0;
    if (!looked) {
        const char *folder = getenv("UNSYNCED_DIR"), *path = getenv("UNSYNCED_LOG");
        struct stat of_folder;
        looked = 1;
        if (folder && path && !stat(folder, &of_folder)) {
            device = of_folder.st_dev;
            log_file = REAL(open)(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
        }
    }
    if (log_file < 0 || file == log_file || fstat(file, status)) return 0;
    if (!S_ISREG(status->st_mode) || status->st_dev != device) return 0;
    char name[64], target[4096];
    strcpy(name, "/proc/self/fd/");
    int digits = 1000000000, at = (int)strlen(name), begun = 0;
    for (; digits; digits /= 10)
        if (begun || file / digits || digits == 1) name[at++] = '0' + file / digits % 10, begun = 1;
    name[at] = 0;
    ssize_t length = readlink(name, target, sizeof target - 1);
    if (length < 0) return 0;
    target[length] = 0;
    const char *folder = getenv("UNSYNCED_DIR");
    return folder && !strncmp(target, folder, strlen(folder));
}

static void say(uint32_t kind, uint64_t inode, int64_t offset, int64_t size, char *bytes, size_t length)
{
    struct note note = {kind, (uint32_t)length, inode, offset, size};
    struct iovec parts[2] = {{&note, sizeof note}, {bytes, length}};
    if (REAL(writev)(log_file, parts, 2) != (ssize_t)(sizeof note + length)) abort();
}

static void remember(int file, struct stat *status, int64_t offset, size_t length)
{
    int kept = errno;
    int64_t left = status->st_size - offset;
    size_t there = left <= 0 ? 0 : (size_t)left < length ? (size_t)left : length;
    char *bytes = there ? malloc(there) : NULL;
    if (there) {
        ssize_t got = pread(file, bytes, there, offset);
        if (got < 0) { /* opened for writing alone */
            char name[64];
            strcpy(name, "/proc/self/fd/");
            char digits[16];
            int n = 0, rest = file, at = (int)strlen(name);
            do digits[n++] = '0' + rest % 10; while (rest /= 10);
            while (n) name[at++] = digits[--n];
            name[at] = 0;
            int again = REAL(open)(name, O_RDONLY | O_CLOEXEC);
            got = again < 0 ? -1 : pread(again, bytes, there, offset);
            if (again >= 0) close(again);
        }
        if (got < 0) abort();
        there = (size_t)got;
    }
    say('W', status->st_ino, offset, status->st_size, bytes, there);
    free(bytes);
    errno = kept;
}

static void before(int file, size_t length)
{
    struct stat status;
    if (!is_ours(file, &status)) return;
    int64_t at = fcntl(file, F_GETFL) & O_APPEND ? status.st_size : lseek(file, 0, SEEK_CUR);
    remember(file, &status, at, length);
}

static size_t sum(const struct iovec *parts, int count)
{
    size_t length = 0;
    while (count--) length += parts[count].iov_len;
    return length;
}

ssize_t write(int file, const void *bytes, size_t length)
{
    before(file, length);
    return REAL(write)(file, bytes, length);
}

ssize_t writev(int file, const struct iovec *parts, int count)
{
    before(file, sum(parts, count));
    return REAL(writev)(file, parts, count);
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset)
{
    struct stat status;
    if (is_ours(file, &status)) remember(file, &status, offset, length);
    return REAL(pwrite)(file, bytes, length, offset);
}

ssize_t pwritev(int file, const struct iovec *parts, int count, off_t offset)
{
    struct stat status;
    if (is_ours(file, &status)) remember(file, &status, offset, sum(parts, count));
    return REAL(pwritev)(file, parts, count, offset);
}

int ftruncate(int file, off_t length)
{
    struct stat status;
    if (is_ours(file, &status))
        remember(file, &status, length, status.st_size > length ? (size_t)(status.st_size - length) : 0);
    return REAL(ftruncate)(file, length);
}

ssize_t pwrite64(int, const void *, size_t, off64_t) __attribute__((alias("pwrite")));
ssize_t pwritev64(int, const struct iovec *, int, off64_t) __attribute__((alias("pwritev")));
int ftruncate64(int, off64_t) __attribute__((alias("ftruncate")));

static int safe(int file, int result)
{
    struct stat status;
    int kept = errno;
    if (!result && is_ours(file, &status)) say('F', status.st_ino, 0, 0, NULL, 0);
    errno = kept;
    return result;
}

int fsync(int file) { return safe(file, REAL(fsync)(file)); }

int fdatasync(int file) { return safe(file, REAL(fdatasync)(file)); }

int syncfs(int file)
{
    struct stat status;
    int result = REAL(syncfs)(file);
    if (!result && (is_ours(file, &status) || log_file >= 0)) say('S', 0, 0, 0, NULL, 0);
    return result;
}

static int opened(int file, int flags)
{
    struct stat status;
    int kept = errno;
    if (file >= 0 && flags & O_CREAT && is_ours(file, &status) && !status.st_size)
        say('N', status.st_ino, 0, 0, NULL, 0); /* what an earlier file of this number was is gone */
    errno = kept;
    return file;
}

#define OPEN(name, ...)                                                     \
    {                                                                                     \
        va_list more;                                                                     \
        va_start(more, flags);                                                            \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;           \
        va_end(more);                                                                     \
        return opened(REAL(name)(__VA_ARGS__, flags, mode), flags);                       \
    }

int open(const char *path, int flags, ...) OPEN(open, path)
int open64(const char *path, int flags, ...) OPEN(open64, path)
int openat(int at, const char *path, int flags, ...) OPEN(openat, at, path)
int openat64(int at, const char *path, int flags, ...) OPEN(openat64, at, path)
