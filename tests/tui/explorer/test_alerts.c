/* What the status line says when an alert comes while an error stands there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "model/base/alloc.h"
#include "tui/explorer/app.h"

static void an_alert_waits_until_an_error_was_read(void **state)
{
    static struct app x;
    struct error e;
    (void)state;
    x.ui.data = &x.data;
    x.alerts.untold = xstrdup("1 new in tag:urgent");
    error_set(&e, ERROR_INVALID, "", "there is no field 'lable'");
    ui_error(&x.ui, &e);
    alerts_tell(&x);
    assert_string_equal(x.ui.status.text, "there is no field 'lable'");
    x.ui.status.fresh = false; /* another key */
    alerts_tell(&x);
    assert_string_equal(x.ui.status.text, "alert: 1 new in tag:urgent; :alerts lists them");
    assert_null(x.alerts.untold);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_alert_waits_until_an_error_was_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
