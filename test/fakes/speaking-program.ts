// A program that speaks, for tests of the command voice: text on standard input, WAV on standard output or in a file.
// Arguments: --rate N, --output FILE, --mode hang|fail|noise|child|file:PATH
import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { spokenWave } from "./spoken-wave.ts";

const { values } = parseArgs({
  options: { rate: { type: "string" }, output: { type: "string" }, mode: { type: "string" }, text: { type: "string" } },
});
const words = values.text === undefined ? await text(process.stdin) : await readFile(values.text, "utf8");
if (values.mode === "hang") setInterval(() => undefined, 1_000);
else if (values.mode === "child") {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  await writeFile(values.output ?? "", String(child.pid));
  setInterval(() => undefined, 1_000);
} else if (values.mode === "fail") {
  process.stderr.write("no such model\n");
  process.exitCode = 3;
} else if (values.mode === "noise") process.stdout.write("this is no sound");
else {
  const wave = await spokenWave(words, Number(values.rate ?? 1));
  if (values.output === undefined) process.stdout.write(wave);
  else await writeFile(values.output, wave);
}
