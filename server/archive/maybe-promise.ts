/**
 * Goes on at once where the value is at hand, and later where it is not: what a directory store answers stays synchronous.
 */
export function andThen<T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
