import type { premierepro } from "@adobe/premierepro";

// UXP's own way to a host module; the bundler leaves it as it stands.
declare function require(name: "premierepro"): premierepro;

/**
 * Premiere's own module. The one place that reaches for it: every other file is given it, so that a double fits too. Asked for
 * when the panel opens, not while its script is read: what fails here is shown there.
 */
export function premiereModule(): premierepro {
  return require("premierepro");
}
