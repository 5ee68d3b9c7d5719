import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { validate } from "dockerfile-utils";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { COMMANDS } from "../../src/cli/command-line.ts";
import { parseArguments } from "../../src/cli/shell/command.ts";
import { parseS3Location } from "../../src/service/storage/s3-object-store.ts";

const ROOT = new URL("../../", import.meta.url);
const textOf = (path: string) => readFileSync(new URL(path, ROOT), "utf8");

interface Service {
  readonly image?: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly volumes?: readonly string[];
}

describe("the container file", () => {
  const text = textOf("tools/deploy/Containerfile");

  test("holds no mistake that a validator which is not ours finds", () => {
    expect(validate(text)).toEqual([]);
  });

  test("copies what exists, and does not run as root", () => {
    const copied = [...text.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, names = ""]) => names.split(" "));
    const needed = ["package.json", "package-lock.json", "src", "tools/build/notices.ts"];
    const page = ["webpack.config.js", "tsconfig.json", "panel", "page", "tools/build"];
    expect([...new Set(copied)].sort()).toEqual([...needed, ...page, "bin", "LICENSE"].sort());
    expect(text).toMatch(/^COPY --from=page \/app\/dist\/page dist\/page$/m);
    for (const name of copied) {
      expect(existsSync(new URL(name, ROOT))).toBe(true);
      for (const list of [".containerignore", ".dockerignore"]) expect(textOf(list)).toContain(`!${name}\n`);
    }
    expect(text).toMatch(/^USER node$/m);
  });
});

describe("the compose file", () => {
  const compose: { services: Record<string, Service>; volumes: Record<string, null> } = parse(
    textOf("tools/deploy/compose.yaml"),
    { merge: true, strict: true, uniqueKeys: true },
  );
  const services = Object.entries(compose.services);

  test("names services, volumes and files that exist", () => {
    expect(Object.keys(compose.services)).toEqual(["server", "worker", "database", "store", "bucket"]);
    for (const [, { image, build, depends_on: needed = {}, volumes = [] }] of services) {
      expect(image ?? build).toBeDefined();
      if (build !== undefined) {
        const context = new URL(`tools/deploy/${build.context}/`, ROOT);
        expect(existsSync(fileURLToPath(new URL(build.dockerfile, context)))).toBe(true);
      }
      for (const name of Object.keys(needed)) expect(compose.services).toHaveProperty(name);
      for (const volume of volumes) {
        const [source = ""] = volume.split(":");
        if (source.startsWith("./")) expect(existsSync(new URL(`tools/deploy/${source}`, ROOT))).toBe(true);
        else expect(compose.volumes).toHaveProperty(source);
      }
    }
  });

  test("starts server and worker by commands that the program has, over a store it understands", () => {
    for (const name of ["server", "worker"]) {
      const { command: [word, ...rest] = [], environment = {} } = compose.services[name] ?? {};
      const command = COMMANDS.find((one) => one.name === word);
      if (command === undefined) throw new Error(`there is no command ${word}`);
      expect(parseArguments(command, rest).positionals).toEqual([]);
      const storage = (environment["ASIDE_STORAGE"] ?? "").replace(/\$\{\w+:-(.*?)\}/, "$1");
      expect(parseS3Location(storage)).toMatchObject({
        bucket: "aside",
        endpoint: "http://store:9000",
        publicEndpoint: "http://localhost:9000",
      });
      expect(URL.canParse((environment["DATABASE_URL"] ?? "").replace(/\$\{.*?\}/, "secret"))).toBe(true);
    }
  });

  test("takes images of others by their content, and none from a maker who no longer keeps them", () => {
    const others = services.flatMap(([name, { image, build }]) => (build === undefined ? [[name, image]] : []));
    expect(others.map(([name]) => name)).toEqual(["database", "store"]);
    for (const [, image] of others) {
      expect(image).toMatch(/^[a-z.]+\/[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
      expect(image).not.toContain("minio");
    }
  });

  test("gives the store the key that the service uses, in the form that Garage takes, and one bucket and region", () => {
    const [{ environment: of = {} } = {}, { environment: used = {} } = {}] = [
      compose.services["store"],
      compose.services["server"],
    ];
    expect(of["GARAGE_DEFAULT_ACCESS_KEY"]).toMatch(/^GK[0-9a-f]{24}$/);
    expect(of["GARAGE_DEFAULT_ACCESS_KEY"]).toBe(used["AWS_ACCESS_KEY_ID"]);
    expect(of["GARAGE_DEFAULT_SECRET_KEY"]).toBe(used["AWS_SECRET_ACCESS_KEY"]);
    const location = parseS3Location((used["ASIDE_STORAGE"] ?? "").replace(/\$\{\w+:-(.*?)\}/, "$1"));
    expect(of["GARAGE_DEFAULT_BUCKET"]).toBe(location.bucket);
    const garage = textOf("tools/deploy/garage.toml");
    expect(garage).toContain(`s3_region = "${location.region}"`);
    expect(garage).toContain(`api_bind_addr = "[::]:${new URL(location.endpoint ?? "").port}"`);
    expect(garage).not.toMatch(/^\s*(?:rpc_secret|admin_token)/m);
  });

  test("sets the bucket's rules by a script that runs, for the methods that the page uses", async () => {
    const { entrypoint = [], command: [script = ""] = [] } = compose.services["bucket"] ?? {};
    const asked: { method: string | undefined; url: string | undefined; body: string }[] = [];
    const store = createServer((request, reply) => {
      let body = "";
      request.on("data", (part) => {
        body += part;
      });
      request.on("end", () => {
        asked.push({ method: request.method, url: request.url, body });
        reply.end();
      });
    });
    await once(store.listen(0, "127.0.0.1"), "listening");
    const { port } = store.address() as AddressInfo; // listening on TCP
    const here = script.replace("http://store:9000", `http://127.0.0.1:${port}`);
    const env = { PATH: "", AWS_ACCESS_KEY_ID: "GK0", AWS_SECRET_ACCESS_KEY: "0" };
    try {
      const said = await promisify(execFile)(process.execPath, [...entrypoint.slice(1), here], {
        cwd: fileURLToPath(ROOT),
        env,
      });
      expect(said).toEqual({ stdout: "", stderr: "" });
    } finally {
      store.close();
    }
    expect(asked).toMatchObject([{ method: "PUT", url: expect.stringMatching(/^\/aside\/?\?cors/) }]);
    expect(asked[0]?.body).toContain("<AllowedMethod>PUT</AllowedMethod>");
  });

  test("holds no password", () => {
    for (const [, { environment = {} }] of services) {
      for (const [name, value] of Object.entries(environment)) {
        if (/PASSWORD|SECRET/.test(name)) expect(value).toMatch(/^\$\{\w+:\?.*\}$/);
      }
    }
  });
});
