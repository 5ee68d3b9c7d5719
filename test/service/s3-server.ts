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
  /** Ends it in the middle of whatever it does, and starts it again on the same data. */
  crash(): Promise<void>;
  close(): Promise<void>;
}

/** The one identity that s3rver knows. */
export const S3_CREDENTIALS = { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" };

/** Starts s3rver in a process of its own, and puts its credentials into this process's environment. */
export async function startS3(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), "aside-s3-"));
  const program = join(dirname(createRequire(import.meta.url).resolve("s3rver/package.json")), "bin", "s3rver.js");
  const start = async (port: number) => {
    const server = spawn(process.execPath, [program, "-d", folder, "-p", String(port), "--configure-bucket", "aside"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    let taken = 0;
    for await (const line of createInterface(server.stdout)) {
      taken = Number(/listening on .*:(\d+)/i.exec(line)?.[1] ?? 0);
      if (taken > 0) break;
    }
    server.stdout.resume();
    return { server, port: taken };
  };
  const end = async (signal: "SIGTERM" | "SIGKILL") => {
    const ended = once(server, "exit");
    server.kill(signal);
    await ended;
  };
  let { server, port } = await start(0);
  const endpoint = `http://127.0.0.1:${port}`;
  Object.assign(process.env, S3_CREDENTIALS);
  return {
    storage: `s3://aside/service?endpoint=${encodeURIComponent(endpoint)}`,
    endpoint,
    async crash() {
      await end("SIGKILL");
      ({ server, port } = await start(port));
    },
    async close() {
      await end("SIGTERM");
      await rm(folder, { recursive: true, force: true });
    },
  };
}
