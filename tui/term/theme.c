#include "tui/term/theme.h"

#include <errno.h>
#include <limits.h>
#include <yaml.h>
#include "model/base/alloc.h"
#include "model/memory/memory.h"
#include "model/base/strbuf.h"
#include "store/platform/file_state.h"
#include "tui/text/embedded.h"

#define THEME_BYTES_MAX (64 * 1024)

static const char *const style_names[STYLE_COUNT] = {
    [STYLE_TEXT] = "text",
    [STYLE_DIM] = "dim",
    [STYLE_TITLE] = "title",
    [STYLE_CRUMB] = "crumb",
    [STYLE_STORE] = "store",
    [STYLE_COUNTS] = "counts",
    [STYLE_HEADER] = "header",
    [STYLE_RULE] = "rule",
    [STYLE_RULE_TITLE] = "rule_title",
    [STYLE_FIELD] = "field",
    [STYLE_REF] = "ref",
    [STYLE_NUMBER] = "number",
    [STYLE_STRONG] = "strong",
    [STYLE_AGE] = "age",
    [STYLE_SOURCE] = "source",
    [STYLE_KEY] = "key",
    [STYLE_KEY_HELP] = "key_help",
    [STYLE_STATUS] = "status",
    [STYLE_ERROR] = "error",
    [STYLE_PROMPT] = "prompt",
    [STYLE_SELECTION] = "selection",
    [STYLE_CURSOR] = "cursor",
    [STYLE_MARK] = "mark",
    [STYLE_MATCH] = "match",
    [STYLE_CHIP] = "chip",
    [STYLE_STAND_IN] = "stand_in",
    [STYLE_GUESSED] = "guessed",
    [STYLE_SUPPORTED] = "supported",
    [STYLE_WEAKENED] = "weakened",
    [STYLE_UNSUPPORTED] = "unsupported",
    [STYLE_CIRCULAR] = "circular",
    [STYLE_UNSOURCED] = "unsourced",
    [STYLE_ENDED] = "ended",
    [STYLE_LINE_GUESSED] = "line_guessed",
    [STYLE_LINE_EVIDENCE] = "line_evidence",
    [STYLE_LINE_REINFORCED] = "line_reinforced",
    [STYLE_LINE_DERIVED] = "line_derived",
    [STYLE_LINE_ALL] = "line_all",
    [STYLE_LINE_SUPERSEDES] = "line_supersedes",
    [STYLE_LIT_GUESSED] = "lit_guessed",
    [STYLE_LIT_EVIDENCE] = "lit_evidence",
    [STYLE_LIT_REINFORCED] = "lit_reinforced",
    [STYLE_LIT_DERIVED] = "lit_derived",
    [STYLE_LIT_ALL] = "lit_all",
    [STYLE_LIT_SUPERSEDES] = "lit_supersedes",
    [STYLE_PICKED] = "picked",
    [STYLE_BORDER] = "border",
    [STYLE_BORDER_SELECTED] = "border_selected",
    [STYLE_KIND] = "kind",
    [STYLE_BADGE] = "badge",
    [STYLE_GROUP] = "group",
    [STYLE_GHOST] = "ghost",
    [STYLE_LOSES_SUPPORT] = "loses_support",
    [STYLE_POPUP] = "popup",
    [STYLE_POPUP_TITLE] = "popup_title",
};

static const char *const colour_names[COLOUR_GREY + 1] = {
    "black",        "red",           "green",       "yellow",         "blue",
    "magenta",      "cyan",          "white",       "bright-black",   "bright-red",
    "bright-green", "bright-yellow", "bright-blue", "bright-magenta", "bright-cyan",
    "bright-white", "grey",
};

static const struct {
    const char *name;
    unsigned bit;
} attribute_names[] = {
    {"bold", THEME_BOLD},       {"dim", THEME_DIM},       {"underline", THEME_UNDERLINE},
    {"reverse", THEME_REVERSE}, {"italic", THEME_ITALIC},
};

struct theme_look theme_over(struct theme_look under, struct theme_look over)
{
    if (over.fg != COLOUR_UNSET)
        under.fg = over.fg;
    if (over.bg != COLOUR_UNSET)
        under.bg = over.bg;
    under.attributes |= over.attributes;
    return under;
}

static int find_style(const char *name)
{
    for (int i = 0; i < STYLE_COUNT; i++)
        if (is_display_name(name, style_names[i]))
            return i;
    return -1;
}

/* 0xrrggbb of a colour of xterm: sixteen, a cube of 6 × 6 × 6, 24 greys. */
static int colour_rgb(int colour)
{
    static const int first[16] = {0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd,
                                  0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00,
                                  0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff};
    static const int step[6] = {0, 95, 135, 175, 215, 255};
    if (colour < 16)
        return first[colour];
    if (colour >= 232)
        return (8 + 10 * (colour - 232)) * 0x010101;
    colour -= 16;
    return step[colour / 36] << 16 | step[colour / 6 % 6] << 8 | step[colour % 6];
}

/* The first sixteen differ from terminal to terminal, so with 256 colours the others are better. Bright black is not
 * taken: on some terminals it is the background. */
int colour_nearest(int rgb, int count)
{
    int best = 0, least = INT_MAX;
    for (int i = count > 16 ? 16 : 0; i < count; i += i == 7 ? 2 : 1) {
        int other = colour_rgb(i), distance = 0;
        for (int shift = 0; shift <= 16; shift += 8) {
            int apart = (rgb >> shift & 255) - (other >> shift & 255);
            distance += apart * apart;
        }
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    return best;
}

static int parse_colour(const char *name, int *colour)
{
    if (*name == '#' && strlen(name) == 7 && strspn(name + 1, "0123456789abcdefABCDEF") == 6) {
        *colour = COLOUR_RGB | (int)strtol(name + 1, NULL, 16);
        return 0;
    }
    if (!strcmp(name, "default")) {
        *colour = COLOUR_DEFAULT;
        return 0;
    }
    for (int i = 0; i <= COLOUR_GREY; i++) {
        if (!strcmp(colour_names[i], name)) {
            *colour = i;
            return 0;
        }
    }
    return -1;
}

static int parse_attribute(const char *name, unsigned *attributes)
{
    for (size_t i = 0; i < sizeof(attribute_names) / sizeof(attribute_names[0]); i++) {
        if (!strcmp(attribute_names[i].name, name)) {
            *attributes |= attribute_names[i].bit;
            return 0;
        }
    }
    return -1;
}

/* The text of a node, or NULL if it is not a scalar. */
static const char *scalar(yaml_document_t *doc, int index)
{
    yaml_node_t *node = yaml_document_get_node(doc, index);
    return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

static int parse_attributes(yaml_document_t *doc, int index, unsigned *attributes)
{
    yaml_node_t *node = yaml_document_get_node(doc, index);
    if (!node || node->type == YAML_MAPPING_NODE)
        return -1;
    if (node->type == YAML_SCALAR_NODE)
        return parse_attribute((const char *)node->data.scalar.value, attributes);
    for (yaml_node_item_t *item = node->data.sequence.items.start;
         item < node->data.sequence.items.top; item++) {
        const char *name = scalar(doc, *item);
        if (!name || parse_attribute(name, attributes))
            return -1;
    }
    return 0;
}

/* Parses one member of a style: fg, bg or attr. */
static int parse_member(yaml_document_t *doc, const yaml_node_pair_t *pair, struct theme_look *look,
                        const char *theme, struct error *e)
{
    yaml_node_t *at = yaml_document_get_node(doc, pair->key);
    const char *key = scalar(doc, pair->key), *value = scalar(doc, pair->value);
    int failed;
    if (key && !strcmp(key, "attr"))
        failed = parse_attributes(doc, pair->value, &look->attributes);
    else if (key && value && !strcmp(key, "fg"))
        failed = parse_colour(value, &look->fg);
    else if (key && value && !strcmp(key, "bg"))
        failed = parse_colour(value, &look->bg);
    else
        failed = -1;
    if (!failed)
        return 0;
    return error_set(e, ERROR_INVALID,
                     "A style takes fg and bg (default, a colour or \"#rrggbb\") and attr.",
                     "theme %s, line %zu: `%s: %s` is not understood", theme,
                     at ? at->start_mark.line + 1 : 0, key ? key : "?", value ? value : "…");
}

static int parse_style(yaml_document_t *doc, const yaml_node_pair_t *pair, struct theme *theme,
                       struct error *e)
{
    yaml_node_t *value = yaml_document_get_node(doc, pair->value);
    yaml_node_t *at = yaml_document_get_node(doc, pair->key);
    const char *name = scalar(doc, pair->key);
    int style = name ? find_style(name) : -1;
    if (style < 0 || !value || value->type != YAML_MAPPING_NODE)
        return error_set(e, ERROR_INVALID, "themes/dark.yaml names all of them.",
                         "theme %s, line %zu: no style is called `%s`", theme->name,
                         at ? at->start_mark.line + 1 : 0, name ? name : "?");
    for (yaml_node_pair_t *p = value->data.mapping.pairs.start; p < value->data.mapping.pairs.top;
         p++)
        if (parse_member(doc, p, &theme->look[style], theme->name, e))
            return -1;
    return 0;
}

int theme_parse(struct theme *theme, const char *name, const char *text, size_t len,
                struct error *e)
{
    yaml_parser_t parser;
    yaml_document_t doc;
    int result = 0;
    *theme = (struct theme){.name = ""};
    snprintf(theme->name, sizeof(theme->name), "%s", name);
    for (int i = 0; i < STYLE_COUNT; i++)
        theme->look[i] = (struct theme_look){COLOUR_UNSET, COLOUR_UNSET, 0};
    if (!yaml_parser_initialize(&parser))
        alloc_fail();
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, len);
    if (!yaml_parser_load(&parser, &doc)) {
        result = error_set(e, ERROR_INVALID, "", "theme %s, line %zu: %s", name,
                           parser.problem_mark.line + 1, parser.problem);
        yaml_parser_delete(&parser);
        return result;
    }
    yaml_node_t *root = yaml_document_get_root_node(&doc);
    if (root && root->type != YAML_MAPPING_NODE)
        result = error_set(e, ERROR_INVALID, "", "theme %s does not name styles", name);
    for (yaml_node_pair_t *p = root && !result ? root->data.mapping.pairs.start : NULL;
         p && p < root->data.mapping.pairs.top && !result; p++)
        result = parse_style(&doc, p, theme, e);
    yaml_document_delete(&doc);
    yaml_parser_delete(&parser);
    return result;
}

/* Other names of built-in themes. */
static const char *const aliases[][2] = {
    {"auto", "dark"}, {"neutral", "dark"}, {"mono", "monochrome"}};

static const struct embedded_file *find_shipped(const char *name)
{
    char path[128];
    for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
        if (!strcmp(aliases[i][0], name))
            name = aliases[i][1];
    snprintf(path, sizeof(path), "themes/%s.yaml", name);
    return embedded_find(path);
}

const char *theme_shipped(size_t index, char *name, size_t size)
{
    for (const struct embedded_file *f = embedded_files; f->path; f++) {
        const char *dot = strrchr(f->path, '.');
        if (strncmp(f->path, "themes/", 7) || !dot || index-- > 0)
            continue;
        snprintf(name, size, "%.*s", (int)(dot - f->path - 7), f->path + 7);
        return name;
    }
    return NULL;
}

/* Appends the path of the person's own theme of that name. */
static void theme_path(struct strbuf *path, const char *name)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (strchr(name, '/'))
        strbuf_addstr(path, name);
    else if (config && *config)
        strbuf_addf(path, "%s/stemma/themes/%s.yaml", config, name);
    else
        strbuf_addf(path, "%s/.config/stemma/themes/%s.yaml", home ? home : "", name);
}

static int theme_read(struct theme *theme, const char *name, const char *path, struct error *e)
{
    struct file_state state;
    FILE *f = file_state_open(path, &state);
    if (!f && (errno == EISDIR || errno == ENXIO))
        return error_set(e, ERROR_INVALID, "", "the theme %s is not a regular file", path);
    if (!f)
        return error_set(e, ERROR_INVALID,
                         "auto, dark, light, high-contrast, monochrome and solarized come with "
                         "stemma.",
                         "there is no theme `%s`", name);
    AUTO_FREE char *text = xmalloc(THEME_BYTES_MAX);
    size_t len = fread(text, 1, THEME_BYTES_MAX, f);
    fclose(f);
    return len == THEME_BYTES_MAX
               ? error_set(e, ERROR_INVALID, "", "the theme %s is larger than 64 KB", path)
               : theme_parse(theme, name, text, len, e);
}

int theme_load(struct theme *theme, const char *name, struct error *e)
{
    const struct embedded_file *shipped = find_shipped(name);
    if (shipped)
        return theme_parse(theme, name, shipped->text, shipped->len, e);
    AUTO_STRBUF path = STRBUF_INIT;
    theme_path(&path, name);
    return theme_read(theme, name, path.buf, e);
}
