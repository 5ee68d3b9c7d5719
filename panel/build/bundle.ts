import webpack, { type Configuration, type Module, type Stats } from "webpack";

/** Runs the bundler once, and gives the paths of the modules that are in its scripts. @throws Error with its words when it fails. */
export async function bundle(configuration: Configuration): Promise<readonly string[]> {
  const compiler = webpack(configuration);
  try {
    return await new Promise((resolve, reject) => {
      compiler.run((error, stats) => {
        if (error !== null) reject(error);
        else if (stats?.hasErrors() === true) reject(new Error(stats.toString("errors-only")));
        else resolve(modulesIn(stats));
      });
    });
  } finally {
    await new Promise((resolve) => compiler.close(resolve));
  }
}

/** Modules that were joined into one stand inside that one. */
function modulesIn(stats: Stats | undefined): readonly string[] {
  const inside = [...(stats?.compilation.modules ?? [])].flatMap((module) =>
    "modules" in module && Array.isArray(module.modules) ? (module.modules as Module[]) : [module],
  );
  return inside.map((module) => module.nameForCondition() ?? "");
}
