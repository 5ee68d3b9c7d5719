// A service in a process of its own, to be killed by tests. Prints its URL and a key that outlives it, then serves until
// it is told to end. Arguments: data folder, module of the tasks.
import { startService } from "../../src/service/main.ts";

const [dataFolder = "", tasks = ""] = process.argv.slice(2);
const service = await startService({ dataFolder, tasks, log: { level: "silent" } });
const { key } = await service.administration.createKey();
process.stdout.write(`${JSON.stringify({ url: service.url, key })}\n`);
process.on("SIGTERM", () => void service.close());
