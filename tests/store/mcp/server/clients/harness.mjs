// Runs tests one after the other and reports them as `tests/run` expects.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020.js';

export { assert };

// Options of a transport over HTTP: the token in that file.
export function httpOptions(file) {
    return { requestInit: { headers: { Authorization: `Bearer ${readFileSync(file, 'utf8').trim()}` } } };
}

let failed = 0;
const prefix = process.argv[2] ?? '';
const LIMIT_MS = 60000;

export async function test(name, body) {
    let timer;
    const late = new Promise((_, no) => {
        timer = setTimeout(() => no(new Error(`took over ${LIMIT_MS / 1000} s`)), LIMIT_MS);
    });
    try {
        await Promise.race([body(), late]);
        console.log(`[       OK ] ${prefix}: ${name}`);
    } catch (error) {
        failed++;
        console.log(`[  FAILED  ] ${prefix}: ${name}`);
        console.log(String(error?.stack ?? error).replace(/^/gm, '    '));
    } finally {
        clearTimeout(timer);
    }
}

export function finish() {
    process.exit(failed ? 1 : 0);
}

// Polls the condition within the limit, since no test waits for a fixed time.
export async function until(what, condition) {
    const end = Date.now() + LIMIT_MS / 2;
    while (!(await condition())) {
        if (Date.now() > end) throw new Error(`never came: ${what}`);
        await new Promise((done) => setTimeout(done, 10));
    }
}

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });

// Validates the value by JSON Schema 2020-12, strictly: an unknown keyword throws, too.
export function conforms(schema, value) {
    const check = ajv.compile(schema);
    assert.ok(check(value), ajv.errorsText(check.errors) + ' in ' + JSON.stringify(value).slice(0, 600));
}

// Returns the error of the promise, which must be rejected.
export async function rejected(promise) {
    try {
        await promise;
    } catch (error) {
        return error;
    }
    throw new Error('was answered, and should not have been');
}
