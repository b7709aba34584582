/** Rounds of the event loop so far. */
export function countRounds() {
  const counter = { rounds: 0, stop: () => clearImmediate(next) };
  const count = () => {
    counter.rounds++;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  return counter;
}
