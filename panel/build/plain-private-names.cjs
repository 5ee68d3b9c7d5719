/**
 * Turns private names of classes (`#state`) into plain ones with a prefix that the minimizer shortens. ECMAScript 2020 has
 * no private names, and what stands in for them (a weak map for each) makes the panel 5 kB larger. Who may read them was
 * checked by the compiler before. The minimizer shortens each script by itself, so a class may not inherit such names: in
 * another script the short one may be the same.
 */
module.exports = function plainPrivateNames(source) {
  if (
    /^(?:export )?(?:abstract )?class \w+(?:<[^>]*>)? extends [^{\n]*\{\n(?:(?!\}).*\n)*? +[^\n]*this\.#/m.test(source)
  ) {
    throw new Error("a class that extends another has private names of its own");
  }
  return source.replace(/(?<=\.|^\s+(?:readonly |static |async |get |set )*)#([a-z]\w*)/gm, "_private_$1");
};
