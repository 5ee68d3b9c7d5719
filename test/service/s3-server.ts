import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

/** An S3-compatible server of a test's own. */
export interface S3Server {
  /** As `ASIDE_STORAGE` names it. */
  readonly storage: string;
  readonly endpoint: string;
  close(): Promise<void>;
}

/** The one identity that s3rver knows. */
export const S3_CREDENTIALS = { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" };

/** Starts s3rver in a process of its own, and puts its credentials into this process's environment. */
export async function startS3(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), "aside-s3-"));
  const program = join(dirname(createRequire(import.meta.url).resolve("s3rver/package.json")), "bin", "s3rver.js");
  const server = spawn(process.execPath, [program, "-d", folder, "-p", "0", "--configure-bucket", "aside"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const lines = createInterface(server.stdout);
  let endpoint = "";
  for await (const line of lines) {
    const port = /listening on .*:(\d+)/i.exec(line)?.[1];
    if (port === undefined) continue;
    endpoint = `http://127.0.0.1:${port}`;
    break;
  }
  server.stdout.resume();
  Object.assign(process.env, S3_CREDENTIALS);
  return {
    storage: `s3://aside/service?endpoint=${encodeURIComponent(endpoint)}`,
    endpoint,
    async close() {
      const ended = once(server, "exit");
      server.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
