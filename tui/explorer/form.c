#include "tui/explorer/form.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "store/platform/platform.h"
#include "tui/config/editor.h"
#include "tui/explorer/app.h"
#include "tui/render/kind_fields.h"
#include "tui/term/signals.h"
#include "tui/text/text.h"

#define CONTROL(letter) ((uint32_t)(letter)&31)
#define KEY_EDITOR      (KEY_F_1 + 3)

const struct bar_word form_keys[] = {
    {"Enter", "save"},
    {"Esc C-c", "cancel; what you typed is kept"},
    {"Tab S-Tab Up Down", "to the next row, to the previous one"},
    {"C-n C-p", "the next and the previous choice"},
    {"F4", "edit the row in your editor"},
    {NULL, NULL},
};

struct form *form_new(enum form_as as)
{
    struct form *f = xcalloc(1, sizeof(*f));
    f->arena = (struct arena)ARENA_INIT;
    f->as = as;
    f->title = "";
    return f;
}

void form_free(struct form *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < f->count; i++) {
        text_edit_release(&f->field[i].line);
        free(f->field[i].outside);
        free(f->field[i].was);
    }
    free(f->field);
    arena_release(&f->arena);
    free(f);
}

const char *form_value(const struct form_field *field)
{
    return field->outside ? field->outside : field->line.text;
}

size_t form_length(const struct form_field *field)
{
    return field->outside ? field->outside_len : field->line.len;
}

void form_set_bytes(struct form_field *field, const char *bytes, size_t len)
{
    char *outside = NULL;
    bool fits = len <= FORM_LINE_MAX && !memchr(bytes, '\n', len) && !memchr(bytes, '\0', len) &&
                utf8_valid(bytes, len);
    if (!fits)
        outside = xmemdup(bytes, len);
    free(field->outside);
    field->outside = outside;
    field->outside_len = len;
    text_edit_set(&field->line, fits ? bytes : "");
}

void form_set_value(struct form_field *field, const char *value)
{
    form_set_bytes(field, value, strlen(value));
}

bool form_changed(const struct form_field *field)
{
    return !field->was || form_length(field) != strlen(field->was) ||
           strcmp(form_value(field), field->was) != 0;
}

struct form_field *form_add(struct form *f, const char *name, enum value_type type,
                            const char *value, const char *help)
{
    struct form_field *field = ARRAY_ADD(f->field, f->count, f->alloc);
    *field = (struct form_field){.name = name, .help = help, .type = type};
    if (type == VALUE_BOOLEAN) {
        field->choices = value_yes_no;
        field->only = true;
    }
    text_edit_open(&field->line, FORM_LINE_MAX);
    form_set_value(field, value ? value : "");
    field->was = xstrdup(form_value(field));
    return field;
}

struct form_field *form_find(const struct form *f, const char *name)
{
    for (size_t i = 0; i < f->count; i++)
        if (!strcmp(f->field[i].name, name))
            return &f->field[i];
    return NULL;
}

/* ---- opening and closing ---- */

bool form_touched(const struct form *f)
{
    for (size_t i = 0; i < f->count; i++)
        if (form_changed(&f->field[i]))
            return true;
    return false;
}

/* Keeps the typed text for the next time the form is opened. */
static bool put_away(struct app *x, struct form *f)
{
    if (!form_touched(f)) {
        form_free(f);
        return false;
    }
    struct pending *p = pending_new(x, OPERATION_COUNT, PENDING_TYPED);
    p->node = f->node;
    p->about = f->title; /* valid as long as the form */
    p->form = f;
    pending_put_away(p);
    return true;
}

struct form *form_take_away(struct app *x)
{
    struct form *f = x->form;
    if (f)
        modal_close(&x->ui, &f->modal);
    x->form = NULL;
    return f;
}

static void leave(struct app *x)
{
    struct form *f = form_take_away(x);
    bool kept = put_away(x, f);
    ui_message(&x->ui,
               kept ? "cancelled; what you typed is kept, :unsaved brings it back" : "cancelled");
}

static void take(struct app *x)
{
    struct form *f = x->form;
    struct error e = {0};
    size_t wrong = f->selected;
    f->now = store_now(x->data.store);
    struct pending *p = form_pending(x, f, &wrong, &e);
    if (!p) {
        f->selected = wrong < f->count ? wrong : f->selected;
        ui_error(&x->ui, &e);
        return;
    }
    p->form = form_take_away(x);
    pending_do(p);
}

/* ---- keys ---- */

static void step_row(struct form *f, int direction)
{
    size_t count = f->count ? f->count : 1;
    f->selected = (f->selected + count + (direction < 0 ? count - 1 : 1)) % count;
}

/* The index of the current choice; *count if it is none of them. */
static size_t choice_of(const struct form_field *field, size_t *count)
{
    size_t at = SIZE_MAX;
    for (*count = 0; field->choices[*count]; ++*count)
        if (!strcmp(field->choices[*count], form_value(field)))
            at = *count;
    return at == SIZE_MAX ? *count : at;
}

static void step_choice(struct form_field *field, int direction)
{
    size_t count, at = choice_of(field, &count);
    if (at == count)
        at = direction > 0 ? count - 1 : 0;
    form_set_value(field, field->choices[(at + count + (direction < 0 ? count - 1 : 1)) % count]);
}

/* A field with fixed choices: selects one by its first letter, or the next or previous one. */
static bool choose_key(struct form_field *field, uint32_t key)
{
    if (key == KEY_ARROW_RIGHT || key == ' ' || key == KEY_ARROW_LEFT) {
        step_choice(field, key == KEY_ARROW_LEFT ? -1 : 1);
        return true;
    }
    for (size_t i = 0; field->choices[i]; i++) {
        if ((uint32_t)field->choices[i][0] == key) {
            form_set_value(field, field->choices[i]);
            return true;
        }
    }
    return key == KEY_RUBOUT || key == KEY_DELETE;
}

static void type_key(struct ui *ui, struct form_field *field, uint32_t key)
{
    char name[16];
    if (field->outside) {
        ui_message(ui, "this is too long for a row: F4 opens it in the editor");
        return;
    }
    switch (text_edit_key(&field->line, key)) {
    case EDIT_FULL:
        ui_message(ui, "a row holds %d bytes; F4 opens it in the editor", FORM_LINE_MAX);
        break;
    case EDIT_NOTHING:
        key_text(key, name, sizeof(name));
        ui_message(ui, "%s does nothing in a form; Esc cancels it", name);
        break;
    default:
        break;
    }
}

static void click(struct form *f, const struct input_event *event)
{
    long row = event->y - f->pane.y - 1;
    if (event->button == 4 || event->button == 5)
        step_row(f, event->button == 4 ? -1 : 1);
    else if (row >= 0 && event->x >= f->pane.x && f->top + (size_t)row < f->count)
        f->selected = f->top + (size_t)row;
}

static void paste(struct app *x, struct form_field *field)
{
    if (field->only || field->outside) {
        ui_message(&x->ui, "you cannot paste here");
        return;
    }
    size_t dropped = text_edit_paste(&field->line, x->ui.input.paste, x->ui.input.paste_len);
    if (dropped)
        ui_message(&x->ui, "%zu character%s of the paste %s left out", dropped,
                   dropped == 1 ? "" : "s", dropped == 1 ? "was" : "were");
}

static void edit_row(struct app *x, struct form_field *field)
{
    AUTO_STRBUF text = STRBUF_INIT;
    struct error e;
    if (field->only) {
        ui_message(&x->ui, "choose a value with Left and Right; this cannot be typed");
        return;
    }
    strbuf_add(&text, form_value(field), form_length(field));
    if (editor_run(x, &text, &e))
        ui_error(&x->ui, &e);
    else if (text.len == form_length(field) && !memcmp(text.buf, form_value(field), text.len))
        ui_message(&x->ui, "the editor changed nothing");
    else
        form_set_bytes(field, text.buf, text.len);
}

static void take_key(struct ui *ui, const struct input_event *event)
{
    struct app *x = ui->app;
    struct form *f = x->form;
    struct form_field *field = &f->field[f->selected];
    uint32_t key = event->key;
    if (key == KEY_POINTER)
        click(f, event);
    else if (key == KEY_PASTED)
        paste(x, field);
    else if (key == KEY_RETURN)
        take(x);
    else if (key == KEY_ESCAPE || key == CONTROL('c'))
        leave(x);
    else if (key == KEY_TABULATOR || key == KEY_ARROW_DOWN)
        step_row(f, 1);
    else if (key == KEY_BACK_TAB || key == KEY_ARROW_UP)
        step_row(f, -1);
    else if (key == KEY_EDITOR)
        edit_row(x, field);
    else if (field->choices && (key == CONTROL('n') || key == CONTROL('p')))
        step_choice(field, key == CONTROL('n') ? 1 : -1);
    else if (!field->only || !field->choices || !choose_key(field, key))
        type_key(&x->ui, field, key);
}

/* ---- drawing ---- */

static int name_width(const struct form *f)
{
    int widest = 8;
    for (size_t i = 0; i < f->count; i++) {
        int width = (int)text_width(f->field[i].name, strlen(f->field[i].name), 24, 0);
        widest = width > widest ? width : widest;
    }
    return widest;
}

static void draw_outside(const struct pane *row, int at, const struct form_field *field)
{
    size_t lines = 1;
    for (const char *c = field->outside; *c; c++)
        lines += *c == '\n';
    int taken =
        paint_format(row, 0, at, row->width - at - 1, STYLE_DIM, "(%zu bytes, %zu line%s: F4) ",
                     strlen(field->outside), lines, lines == 1 ? "" : "s");
    paint_text(row, 0, at + taken, row->width - at - taken - 1, STYLE_TEXT, field->outside);
}

static void draw_field(struct ui *ui, const struct form *f, const struct pane *row, size_t index)
{
    const struct form_field *field = &f->field[index];
    bool selected = index == f->selected;
    int names = name_width(f), at = names + 5;
    if (at > row->width / 2)
        at = row->width / 2;
    if (selected)
        paint_text(row, 0, 1, 1, STYLE_CURSOR, ">");
    AUTO_STRBUF title = STRBUF_INIT;
    field_add_title(&title, field->name);
    paint_text(row, 0, 3, at - 4, selected ? STYLE_TITLE : STYLE_FIELD, title.buf);
    if (form_changed(field))
        paint_text(row, 0, at - 1, 1, STYLE_MARK, "*");
    if (selected) {
        ui->screen.cursor_y = row->y;
        ui->screen.cursor_x = row->x + (at + 1 < row->width ? at + 1 : row->width - 1);
    }
    if (field->outside)
        draw_outside(row, at + 1, field);
    else
        text_edit_draw(&field->line, row, at + 1, row->width - at - 2,
                       selected && !field->only && at + 1 < row->width);
}

/* Draws the choices, from the current one on if they do not all fit. */
static void draw_choices(const struct form_field *field, const struct pane *row, int at)
{
    size_t count, here = choice_of(field, &count), first = 0;
    int end = row->width - 1, width = at;
    for (size_t i = 0; i < count; i++)
        width += (int)strlen(field->choices[i]) + 2;
    if (width > end + 2 && here < count)
        first = here;
    for (size_t i = 0; i < count; i++) {
        size_t choice = (first + i) % count;
        int wide = (int)strlen(field->choices[choice]);
        if (at + wide > end - 2 && i + 1 < count) {
            paint_text(row, 0, at, end - at, STYLE_DIM, glyph_text(row->screen, GLYPH_ELLIPSIS));
            return;
        }
        paint_text(row, 0, at, end - at, choice == here ? STYLE_TITLE : STYLE_DIM,
                   field->choices[choice]);
        at += wide + 2;
    }
}

static void draw_help(const struct form *f, const struct pane *row)
{
    const struct form_field *field = &f->field[f->selected];
    int at = 3 + paint_text(row, 0, 3, row->width - 4, STYLE_DIM, field->help);
    if (!field->choices)
        return;
    if (*field->help)
        at += paint_text(row, 0, at, row->width - at - 1, STYLE_DIM, ": ");
    draw_choices(field, row, at);
}

static void draw(struct ui *ui, const struct pane *body)
{
    struct app *x = ui->app;
    struct form *f = x->form;
    int rows = (int)f->count + 2, height = rows > body->height ? body->height : rows;
    char count[48] = "";
    bool framed = height >= 3;
    int shown = framed ? height - 2 : height;
    if (shown <= 0)
        return;
    if (f->selected < f->top)
        f->top = f->selected;
    if (f->selected >= f->top + (size_t)shown)
        f->top = f->selected - (size_t)shown + 1;
    f->pane = pane_part(body, body->height - height, 0, height, body->width);
    f->pane.over = STYLE_POPUP;
    paint_clear(&f->pane);
    if ((size_t)shown < f->count)
        snprintf(count, sizeof(count), "%zu of %zu", f->selected + 1, f->count);
    if (framed)
        paint_rule(&f->pane, 0, f->title, count);
    for (int i = 0; i < shown && f->top + (size_t)i < f->count; i++) {
        struct pane row = pane_row(&f->pane, framed + i);
        draw_field(&x->ui, f, &row, f->top + (size_t)i);
    }
    if (framed) {
        struct pane row = pane_row(&f->pane, height - 1);
        draw_help(f, &row);
    }
}

static void bar(struct ui *ui, struct bar_word words[BAR_WORDS])
{
    (void)ui;
    words[0] = (struct bar_word){"Enter", "save"};
    words[1] = (struct bar_word){"Esc", "cancel"};
    words[2] = (struct bar_word){"Tab", "next row"};
    words[3] = (struct bar_word){"F4", "editor"};
}

static const struct modal_ops modal_ops = {.key = take_key, .draw = draw, .bar = bar};

void form_open(struct app *x, struct form *f)
{
    if (x->form)
        put_away(x, form_take_away(x));
    x->form = f;
    modal_open(&x->ui, &f->modal, &modal_ops);
}

extern char **environ;

/* ---- the editor ---- */

static int spawn(struct app *x, char *const argv[], int input, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    if (input >= 0)
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    else if (x->ui.screen.fd < 0)
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &x->ui.wait_mask);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    int failed = posix_spawn(pid, argv[0], &actions, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

/* Forwards requests to end to the editor. It handles other signals itself. */
static void pass_signals(struct ui *ui, pid_t pid)
{
    struct pollfd ready = {.fd = signals_fd(), .events = POLLIN};
    platform_poll(&ready, 1, -1, &ui->wait_mask);
    if (signals_take() & SIGNAL_BIT_END && ui_is_ended(ui))
        kill(pid, ui->ended_by);
}

/*
 * The person suspended the editor with C-z, so the explorer stops, too. Returns false if the explorer has to end;
 * then it does not wait for the editor, which would be stopped again when it touches a terminal of another job.
 */
static bool stop_with(struct ui *ui, pid_t pid)
{
    if (!ui_is_ended(ui))
        suspend_now(SIGSTOP);
    bool ended = ui_is_ended(ui);
    if (ended)
        kill(pid, ui->ended_by);
    kill(pid, SIGCONT);
    return !ended;
}

static int wait_for(struct ui *ui, pid_t pid)
{
    int status = 0;
    for (;;) {
        bool seen = ui->screen.fd >= 0;
        pid_t got = waitpid(pid, &status, seen ? WNOHANG | WUNTRACED : 0);
        if (got < 0 && errno != EINTR)
            return -1;
        if (got == pid && (!WIFSTOPPED(status) || !stop_with(ui, pid)))
            return status;
        if (got != pid && seen)
            pass_signals(ui, pid);
    }
}

int terminal_lend(struct app *x, char *const argv[], int input, int *status)
{
    pid_t pid;
    screen_leave(&x->ui.screen);
    int failed = spawn(x, argv, input, &pid);
    *status = failed ? -1 : wait_for(&x->ui, pid);
    screen_repaint(&x->ui.screen);
    return failed;
}

static int edit(struct app *x, const struct edited_file *p, struct error *e)
{
    const char *name = editor_name(true);
    struct editor_command command;
    int status;
    editor_command_make(&command, name, p->path);
    int failed = terminal_lend(x, command.argv, -1, &status);
    strbuf_release(&command.text);
    if (failed)
        return error_set(e, ERROR_STORE, "", "cannot start an editor: %s", strerror(failed));
    return editor_check(status, name, e);
}

int editor_run(struct app *x, struct strbuf *text, struct error *e)
{
    struct edited_file file;
    if (edited_file_make(&file, "edit.txt", text, e))
        return -1;
    int result = edit(x, &file, e);
    if (!result)
        result = edited_file_read(&file, text, e);
    /* A failed editor changes nothing. What it saved may be incomplete, but it is not thrown away. */
    if (result && edited_file_differs(&file, text)) {
        snprintf(e->hint, sizeof(e->hint), "The edited text is in %.200s.", file.path);
        e->hint_quotes = true;
        return -1;
    }
    edited_file_remove(&file);
    return result;
}
