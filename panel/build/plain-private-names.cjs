/**
 * Turns private names of classes (`#state`) into plain ones with a prefix that the minimizer shortens. ECMAScript 2020 has
 * no private names, and what stands in for them (a weak map for each) makes the panel 5 kB larger. Who may read them was
 * checked by the compiler before.
 */
module.exports = function plainPrivateNames(source) {
  return source.replace(/(?<=\.|^\s+(?:readonly |static |async |get |set )*)#([a-z]\w*)/gm, "_private_$1");
};
