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
/* clang-format off */
static const int allowed[] = {
    /* the most frequent first */
    SYS_futex, SYS_read, SYS_write, SYS_pread64, SYS_pwrite64, SYS_epoll_pwait,
    SYS_clock_gettime, SYS_fcntl, SYS_fstat, SYS_close, SYS_openat, SYS_lseek,
    /* files */
    SYS_readv, SYS_writev, SYS_preadv, SYS_pwritev, SYS_newfstatat, SYS_statx, SYS_fsync,
    SYS_fdatasync, SYS_ftruncate, SYS_fallocate, SYS_fadvise64, SYS_flock, SYS_sendfile,
    SYS_copy_file_range, SYS_statfs, SYS_fstatfs, SYS_getdents64, SYS_getcwd, SYS_faccessat,
    SYS_readlinkat, SYS_mkdirat, SYS_unlinkat, SYS_renameat2, SYS_linkat, SYS_fchmod,
    SYS_fchmodat, SYS_fchown, SYS_utimensat, SYS_umask, SYS_dup, SYS_dup3, SYS_pipe2,
    SYS_inotify_init1, SYS_inotify_add_watch, SYS_inotify_rm_watch,
    /* waiting */
    SYS_epoll_create1, SYS_epoll_ctl, SYS_ppoll, SYS_pselect6, SYS_eventfd2, SYS_nanosleep,
    SYS_clock_nanosleep, SYS_clock_getres, SYS_gettimeofday, SYS_timer_create, SYS_timer_settime,
    SYS_timer_gettime, SYS_timer_getoverrun, SYS_timer_delete, SYS_setitimer,
    SYS_restart_syscall,
    /* connections */
    SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_connect, SYS_getsockname, SYS_getpeername,
    SYS_getsockopt, SYS_setsockopt, SYS_sendto, SYS_sendmsg, SYS_recvfrom, SYS_recvmsg,
    SYS_shutdown,
    /* memory */
    SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise, SYS_brk,
    /* threads and signals */
    SYS_exit, SYS_exit_group, SYS_set_robust_list, SYS_get_robust_list, SYS_gettid,
    SYS_sched_yield, SYS_sched_getaffinity, SYS_rt_sigaction, SYS_rt_sigprocmask,
    SYS_rt_sigreturn, SYS_rt_sigpending, SYS_rt_sigtimedwait, SYS_sigaltstack, SYS_membarrier,
    SYS_getrandom, SYS_getpid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid,
    SYS_prlimit64, SYS_getrusage, SYS_sysinfo, SYS_uname,
#ifdef SYS_renameat
    SYS_renameat,
#endif
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_faccessat2
    SYS_faccessat2,
#endif
#ifdef SYS_fchmodat2
    SYS_fchmodat2,
#endif
#ifdef SYS_epoll_pwait2
    SYS_epoll_pwait2,
#endif
#ifdef SYS_close_range
    SYS_close_range,
#endif
#ifdef SYS_open /* calls that newer architectures do not have */
    SYS_open, SYS_stat, SYS_lstat, SYS_access, SYS_unlink, SYS_rename, SYS_link, SYS_mkdir,
    SYS_rmdir, SYS_readlink, SYS_chmod, SYS_dup2, SYS_pipe, SYS_poll, SYS_select, SYS_epoll_wait,
    SYS_time, SYS_arch_prctl, SYS_getrlimit,
#endif
};
/* clang-format on */
#define ALLOWED (sizeof(allowed) / sizeof(*allowed))

/* Calls that are allowed with one argument alone: with these bits, or with this value. */
struct conditional {
    int call;
    uint32_t argument, mask, value;
};
#define CONDITIONALS 6

static void find_conditionals(struct conditional out[CONDITIONALS])
{
    uint32_t self = (uint32_t)getpid();
    const struct conditional list[CONDITIONALS] = {
        {SYS_clone, 0, CLONE_THREAD, CLONE_THREAD},
        {SYS_socket, 0, UINT32_MAX, AF_UNIX},
        {SYS_tgkill, 0, UINT32_MAX, self},
        {SYS_kill, 0, UINT32_MAX, self}, /* it stops itself between two writes */
        {SYS_kill, 1, UINT32_MAX, 0},    /* whether a process is there */
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
        ADD(LOAD(offsetof(struct seccomp_data, nr)));
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

/* What looks for leaks attaches to the process, ThreadSanitizer reads /proc, valgrind makes system calls of its own. */
static bool is_examined(void)
{
#if defined(__SANITIZE_THREAD__)
    return true;
#elif defined(__SANITIZE_ADDRESS__)
    const char *options = getenv("ASAN_OPTIONS");
    if (!options || !strstr(options, "detect_leaks=0"))
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
