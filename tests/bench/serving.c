#include "tests/bench/serving.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/bench/wire.h"

const char serving_hello[] =
    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
    "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"bench\",\"version\":\"1\"}}}";

void serving_keep_awake(void)
{
    /* Linux: Documentation/power/pm_qos_interface.rst. It holds for as long as the file is open. */
    static const char path[] = "/dev/cpu_dma_latency";
    int32_t microseconds = 0;
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd >= 0 && write(fd, &microseconds, sizeof(microseconds)) == sizeof(microseconds)) {
        puts("the processors are kept awake");
        return;
    }
    printf("the processors may sleep while they wait (%s: %s)\n", path, strerror(errno));
    if (fd >= 0)
        close(fd);
}

pid_t serving_start(const char *program, const char *store, char path[200])
{
    int in, out;
    struct strbuf line = STRBUF_INIT;
    pid_t pid =
        wire_start((const char *const[]){program, "serve", "--store", store, NULL}, &in, &out);
    wire_read_line(out, &line);
    snprintf(path, 200, "%s", line.buf);
    strbuf_release(&line);
    return pid;
}

int serving_greet(const char *path)
{
    struct strbuf answer = STRBUF_INIT;
    int fd = wire_connect(path);
    wire_ask(fd, serving_hello, &answer);
    strbuf_release(&answer);
    return fd;
}

double serving_resident_mb(pid_t pid, const char *field)
{
    char name[64], line[200];
    double mb = 0;
    snprintf(name, sizeof(name), "/proc/%d/status", (int)pid);
    FILE *f = fopen(name, "r");
    while (f && fgets(line, sizeof(line), f))
        if (strncmp(line, field, strlen(field)) == 0)
            mb = (double)strtol(line + strlen(field), NULL, 10) / 1024;
    if (f)
        fclose(f);
    return mb;
}

double serving_worked_ms(pid_t pid)
{
    char name[64];
    double ms = 0;
    snprintf(name, sizeof(name), "/proc/%d/task", (int)pid);
    DIR *tasks = opendir(name);
    for (struct dirent *d; tasks && (d = readdir(tasks));) {
        double ran = 0;
        snprintf(name, sizeof(name), "/proc/%d/task/%.16s/schedstat", (int)pid, d->d_name);
        FILE *f = d->d_name[0] == '.' ? NULL : fopen(name, "r");
        if (f && fscanf(f, "%lf", &ran) == 1)
            ms += ran / 1e6;
        if (f)
            fclose(f);
    }
    if (tasks)
        closedir(tasks);
    return ms;
}

double serving_waited_ms(pid_t pid)
{
    char name[64];
    double ran = 0, waited = 0;
    snprintf(name, sizeof(name), "/proc/%d/schedstat", (int)pid);
    FILE *f = fopen(name, "r");
    if (f && fscanf(f, "%lf %lf", &ran, &waited) != 2)
        waited = 0;
    if (f)
        fclose(f);
    return waited / 1e6;
}
