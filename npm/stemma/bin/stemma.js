#!/usr/bin/env node
// Starts the program, which stands in the package of this platform. Signals go on to it, and it ends as the program ends.
"use strict";
const { spawn } = require("child_process");
const os = require("os");

const name = `stemma-${process.platform}-${process.arch}`;
let program;
try {
    program = require.resolve(`${name}/bin/stemma`);
} catch {
    console.error(`stemma: the npm package ${name} is missing. If there is one, install it; npm leaves it out with --omit=optional.`);
    process.exit(1);
}
// A terminal sends SIGINT and SIGQUIT to the program as well, and that decides what they mean.
for (const signal of ["SIGINT", "SIGQUIT"])
    process.on(signal, () => {});
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGTERM", "SIGHUP"])
    process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
    console.error(`stemma: cannot start ${program}: ${error.message}`);
    process.exit(1);
});
child.on("exit", (status, signal) => process.exit(signal ? 128 + os.constants.signals[signal] : status));
