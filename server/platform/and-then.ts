/** Continues synchronously with a value, asynchronously with a promise: what is in memory is answered without a microtask. */
export function andThen<T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
