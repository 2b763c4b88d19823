/*
 * Confines a thread: Landlock for files, TCP and signals, seccomp for system calls. Both hold for the
 * threads that it starts, and cannot be undone.
 */
#include "store/platform/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "model/base/alloc.h"

/* ---- files: Landlock ---- */

/* From linux/landlock.h, which older systems lack. The numbers are those of all architectures. */
#define LANDLOCK_CREATE_RULESET 444
#define LANDLOCK_ADD_RULE       445
#define LANDLOCK_RESTRICT_SELF  446
#define ASK_VERSION             1
#define PATH_BENEATH            1
enum {
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_DIR = 1 << 3,
    REMOVE_FILE = 1 << 5,
    MAKE_DIR = 1 << 7,
    MAKE_REG = 1 << 8,
    MAKE_SOCK = 1 << 9,
    TRUNCATE = 1 << 14,
    ALL_TCP = 3,   /* bind and connect */
    ALL_SCOPES = 3 /* abstract sockets and signals of others */
};
#define OF_FILES (WRITE_FILE | READ_FILE | TRUNCATE)

struct ruleset {
    uint64_t files, tcp, scopes;
};
struct beneath {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

/* What each version of Landlock added: rights on files; from 4 on TCP, from 6 on scopes. */
static size_t describe(long version, struct ruleset *r)
{
    static const unsigned char bits[] = {13, 14, 15, 15, 16};
    long last = (long)sizeof(bits) - 1;
    *r = (struct ruleset){.files = (UINT64_C(1) << bits[version > last ? last : version - 1]) - 1};
    if (version >= 4)
        r->tcp = ALL_TCP;
    if (version >= 6)
        r->scopes = ALL_SCOPES;
    return version >= 6 ? 24 : version >= 4 ? 16 : 8; /* older kernels know a shorter struct */
}

#define SOCKETS (MAKE_DIR | MAKE_SOCK)
static const uint64_t uses[] = {
    [USE_READ] = READ_FILE | READ_DIR,
    [USE_WRITE] = READ_FILE | READ_DIR | WRITE_FILE | TRUNCATE | REMOVE_FILE | MAKE_REG | SOCKETS,
    [USE_SOCKETS] = SOCKETS,
};

static int allow(int rules, const struct ruleset *r, const struct platform_path *p)
{
    struct stat st;
    struct beneath rule = {.allowed = uses[p->use]};
    rule.parent = open(p->path, O_PATH | O_CLOEXEC);
    if (rule.parent < 0)
        return 0;
    if (fstat(rule.parent, &st) == 0 && !S_ISDIR(st.st_mode))
        rule.allowed &= OF_FILES;
    rule.allowed &= r->files;
    int result = (int)syscall(LANDLOCK_ADD_RULE, rules, PATH_BENEATH, &rule, 0);
    close(rule.parent);
    return result;
}

/* What the libraries need: random bytes for SQLite's names, and the names of threads. */
static const struct platform_path of_libraries[] = {
    {"/dev/urandom", USE_READ}, {"/dev/null", USE_WRITE}, {"/proc/self/task", USE_WRITE}};

static const char *confine_files(const struct platform_path *list, size_t count)
{
    struct ruleset r;
    long version = syscall(LANDLOCK_CREATE_RULESET, NULL, 0, ASK_VERSION);
    if (version < 1)
        return "this kernel has no Landlock";
    size_t size = describe(version, &r);
    int rules = (int)syscall(LANDLOCK_CREATE_RULESET, &r, size, 0);
    bool failed = rules < 0;
    for (size_t i = 0; i < count && !failed; i++)
        failed = allow(rules, &r, &list[i]) != 0;
    for (size_t i = 0; i < sizeof(of_libraries) / sizeof(*of_libraries) && !failed; i++)
        failed = allow(rules, &r, &of_libraries[i]) != 0;
    failed = failed || syscall(LANDLOCK_RESTRICT_SELF, rules, 0);
    if (rules >= 0)
        close(rules);
    return failed ? "Landlock refused the rules" : NULL;
}

/* ---- system calls: seccomp ---- */

#if defined(__x86_64__)
#define NATIVE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE AUDIT_ARCH_AARCH64
#endif

/*
 * What a server calls, and glibc for it. All else looks as if the kernel did not have it, which glibc
 * expects of new calls. In it are execve, fork (clone3 too, whose flags a filter cannot read), ptrace,
 * mount, bpf, io_uring and ioctl, which could type into the terminal.
 */
#define CALL(name) SYS_##name
static const int allowed[] = {
    /* the most frequent first */
    CALL(futex),
    CALL(read),
    CALL(write),
    CALL(pread64),
    CALL(pwrite64),
    CALL(epoll_pwait),
    CALL(clock_gettime),
    CALL(fcntl),
    CALL(fstat),
    CALL(close),
    CALL(openat),
    CALL(lseek),
    /* files */
    CALL(readv),
    CALL(writev),
    CALL(preadv),
    CALL(pwritev),
    CALL(newfstatat),
    CALL(statx),
    CALL(fsync),
    CALL(fdatasync),
    CALL(ftruncate),
    CALL(fallocate),
    CALL(fadvise64),
    CALL(flock),
    CALL(sendfile),
    CALL(copy_file_range),
    CALL(statfs),
    CALL(fstatfs),
    CALL(getdents64),
    CALL(getcwd),
    CALL(faccessat),
    CALL(readlinkat),
    CALL(mkdirat),
    CALL(unlinkat),
    CALL(renameat2),
    CALL(linkat),
    CALL(fchmod),
    CALL(fchmodat),
    CALL(fchown),
    CALL(utimensat),
    CALL(umask),
    CALL(dup),
    CALL(dup3),
    CALL(pipe2),
    CALL(inotify_init1),
    CALL(inotify_add_watch),
    CALL(inotify_rm_watch),
    /* waiting */
    CALL(epoll_create1),
    CALL(epoll_ctl),
    CALL(ppoll),
    CALL(pselect6),
    CALL(eventfd2),
    CALL(nanosleep),
    CALL(clock_nanosleep),
    CALL(clock_getres),
    CALL(gettimeofday),
    CALL(timer_create),
    CALL(timer_settime),
    CALL(timer_gettime),
    CALL(timer_getoverrun),
    CALL(timer_delete),
    CALL(setitimer),
    CALL(restart_syscall),
    /* connections */
    CALL(bind),
    CALL(listen),
    CALL(accept),
    CALL(accept4),
    CALL(connect),
    CALL(getsockname),
    CALL(getpeername),
    CALL(getsockopt),
    CALL(setsockopt),
    CALL(sendto),
    CALL(sendmsg),
    CALL(recvfrom),
    CALL(recvmsg),
    CALL(shutdown),
    /* memory */
    CALL(mmap),
    CALL(munmap),
    CALL(mprotect),
    CALL(mremap),
    CALL(madvise),
    CALL(brk),
    /* threads and signals */
    CALL(exit),
    CALL(exit_group),
    CALL(set_robust_list),
    CALL(get_robust_list),
    CALL(gettid),
    CALL(sched_yield),
    CALL(sched_getaffinity),
    CALL(rt_sigaction),
    CALL(rt_sigprocmask),
    CALL(rt_sigreturn),
    CALL(rt_sigpending),
    CALL(rt_sigtimedwait),
    CALL(sigaltstack),
    CALL(membarrier),
    CALL(getrandom),
    CALL(getpid),
    CALL(getppid),
    CALL(getuid),
    CALL(geteuid),
    CALL(getgid),
    CALL(getegid),
    CALL(prlimit64),
    CALL(getrusage),
    CALL(sysinfo),
    CALL(uname),
#ifdef SYS_renameat
    CALL(renameat),
#endif
#ifdef SYS_rseq
    CALL(rseq),
#endif
#ifdef SYS_faccessat2
    CALL(faccessat2),
#endif
#ifdef SYS_fchmodat2
    CALL(fchmodat2),
#endif
#ifdef SYS_epoll_pwait2
    CALL(epoll_pwait2),
#endif
#ifdef SYS_close_range
    CALL(close_range),
#endif
#ifdef SYS_open /* calls that newer architectures do not have */
    CALL(open),
    CALL(stat),
    CALL(lstat),
    CALL(access),
    CALL(unlink),
    CALL(rename),
    CALL(link),
    CALL(mkdir),
    CALL(rmdir),
    CALL(readlink),
    CALL(chmod),
    CALL(dup2),
    CALL(pipe),
    CALL(poll),
    CALL(select),
    CALL(epoll_wait),
    CALL(time),
    CALL(arch_prctl),
    CALL(getrlimit),
#endif
};
#define ALLOWED (sizeof(allowed) / sizeof(*allowed))

/* Calls that are allowed with one argument alone: with these bits, or with this value. */
struct conditional {
    int call;
    uint32_t argument, mask, value;
};
#define CONDITIONALS 4

static void find_conditionals(struct conditional out[CONDITIONALS])
{
    uint32_t self = (uint32_t)getpid();
    const struct conditional list[CONDITIONALS] = {
        {SYS_clone, 0, CLONE_THREAD, CLONE_THREAD},
        {SYS_socket, 0, UINT32_MAX, AF_UNIX},
        {SYS_tgkill, 0, UINT32_MAX, self},
        {SYS_prctl, 0, UINT32_MAX, PR_SET_NAME},
    };
    memcpy(out, list, sizeof(list));
}

#ifdef NATIVE

#define LOAD(offset)          BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (offset))
#define RETURN(what)          BPF_STMT(BPF_RET | BPF_K, (what))
#define SKIP_UNLESS(value, n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (n))
#define REFUSE                (SECCOMP_RET_ERRNO | ENOSYS)
#define ARGUMENT(n)           (offsetof(struct seccomp_data, args) + 8 * (n))

static const char *confine_calls(void)
{
    struct sock_filter filter[6 + 2 * ALLOWED + 6 * CONDITIONALS];
    struct conditional with[CONDITIONALS];
    size_t count = 0;
#define ADD(...) filter[count++] = (struct sock_filter)__VA_ARGS__
    ADD(LOAD(offsetof(struct seccomp_data, arch)));
    ADD(SKIP_UNLESS(NATIVE, 1));
    ADD(BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0));
    ADD(RETURN(REFUSE));
    ADD(LOAD(offsetof(struct seccomp_data, nr)));
    for (size_t i = 0; i < ALLOWED; i++) {
        ADD(SKIP_UNLESS((uint32_t)allowed[i], 1));
        ADD(RETURN(SECCOMP_RET_ALLOW));
    }
    find_conditionals(with);
    for (size_t i = 0; i < CONDITIONALS; i++) {
        ADD(SKIP_UNLESS((uint32_t)with[i].call, 5));
        ADD(LOAD(ARGUMENT(with[i].argument))); /* the low half: both are little-endian */
        ADD(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, with[i].mask));
        ADD(SKIP_UNLESS(with[i].value, 1));
        ADD(RETURN(SECCOMP_RET_ALLOW));
        ADD(RETURN(REFUSE));
    }
    ADD(RETURN(REFUSE));
#undef ADD
    struct sock_fprog program = {(unsigned short)count, filter};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) ? "seccomp refused the filter"
                                                                      : NULL;
}

#else

static const char *confine_calls(void)
{
    return "its system calls are not known for this processor";
}

#endif

/* ---- both ---- */

/* A sanitizer reads /proc and starts programs to report; valgrind makes system calls of its own. */
static bool is_examined(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return true;
#endif
    const char *preload = getenv("LD_PRELOAD");
    return preload && strstr(preload, "vgpreload");
}

const char *platform_confine(const struct platform_path *list, size_t count)
{
    if (is_examined())
        return NULL;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        return "the kernel does not allow it";
    const char *files = confine_files(list, count), *calls = confine_calls();
    return files ? files : calls;
}
