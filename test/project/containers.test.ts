import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
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
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly volumes?: readonly string[];
}

describe("the container file", () => {
  const text = textOf("deploy/Containerfile");

  test("holds no mistake that a validator which is not ours finds", () => {
    expect(validate(text)).toEqual([]);
  });

  test("copies what exists, and does not run as root", () => {
    const copied = [...text.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, names = ""]) => names.split(" "));
    const needed = ["package.json", "package-lock.json", "src", "deploy/notices.ts"];
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
    textOf("deploy/compose.yaml"),
    { merge: true, strict: true, uniqueKeys: true },
  );
  const services = Object.entries(compose.services);

  test("names services, volumes and files that exist", () => {
    expect(Object.keys(compose.services)).toEqual(["server", "worker", "database", "store", "bucket"]);
    for (const [, { image, build, depends_on: needed = {}, volumes = [] }] of services) {
      expect(image ?? build).toBeDefined();
      if (build !== undefined) {
        const context = new URL(`deploy/${build.context}/`, ROOT);
        expect(existsSync(fileURLToPath(new URL(build.dockerfile, context)))).toBe(true);
      }
      for (const name of Object.keys(needed)) expect(compose.services).toHaveProperty(name);
      for (const volume of volumes) expect(compose.volumes).toHaveProperty(volume.split(":")[0] ?? "");
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

  test("holds no password", () => {
    for (const [, { environment = {} }] of services) {
      for (const [name, value] of Object.entries(environment)) {
        if (/PASSWORD|SECRET/.test(name)) expect(value).toMatch(/^\$\{\w+:\?.*\}$/);
      }
    }
  });
});
