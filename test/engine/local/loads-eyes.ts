// Loads the installed model, says so, and stays, for a test of what becomes of it when this process is killed.
import { Eyes } from "../../../src/engine/local/llama-server.ts";
import { eyesIn } from "../../../src/engine/models/vision-settings.ts";

const eyes = eyesIn(JSON.parse(process.argv[2] ?? "{}"));
if (eyes === null) throw new TypeError("no model is installed");
const { signal } = new AbortController();
await new Eyes().use(eyes, { ends: 0, fault: null }, signal, async () => process.send?.("loaded"));
setInterval(() => undefined, 1_000);
