/**
 * A table of a FlatBuffer: what the metadata of Arrow is written in. Fields have the numbers of their places in the schema;
 * one that is absent has its default, 0 or nothing.
 *
 * All offsets are read through a DataView, which throws RangeError out of bounds.
 */
export class FlatTable {
  readonly #view: DataView;
  readonly #at: number;
  readonly #fields: number;
  readonly #fieldsEnd: number;

  private constructor(view: DataView, at: number) {
    this.#view = view;
    this.#at = at;
    this.#fields = at - view.getInt32(at, true);
    this.#fieldsEnd = view.getUint16(this.#fields, true);
  }

  /** The table that a buffer begins with. */
  static root(view: DataView, at: number): FlatTable {
    return new FlatTable(view, at + view.getUint32(at, true));
  }

  /** Where a field is; undefined for one that is absent. */
  #place(field: number): number | undefined {
    const slot = 4 + 2 * field;
    const offset = slot < this.#fieldsEnd ? this.#view.getUint16(this.#fields + slot, true) : 0;
    return offset === 0 ? undefined : this.#at + offset;
  }

  uint8(field: number): number {
    const at = this.#place(field);
    return at === undefined ? 0 : this.#view.getUint8(at);
  }

  int16(field: number): number {
    const at = this.#place(field);
    return at === undefined ? 0 : this.#view.getInt16(at, true);
  }

  /** A number below 2⁵³. */
  int64(field: number): number {
    const at = this.#place(field);
    return at === undefined ? 0 : Number(this.#view.getBigInt64(at, true));
  }

  table(field: number): FlatTable | undefined {
    const at = this.#place(field);
    return at === undefined ? undefined : FlatTable.root(this.#view, at);
  }

  tables(field: number): FlatTable[] {
    return this.#entries(field, 4).map((at) => FlatTable.root(this.#view, at));
  }

  text(field: number): string {
    const at = this.#place(field);
    if (at === undefined) return "";
    const start = at + this.#view.getUint32(at, true);
    const length = this.#view.getUint32(start, true);
    const { buffer, byteOffset } = this.#view;
    return new TextDecoder().decode(new Uint8Array(buffer, byteOffset + start + 4, length));
  }

  /** A list of tables of key and value. */
  texts(field: number): Record<string, string> {
    return Object.fromEntries(this.tables(field).map((entry) => [entry.text(0), entry.text(1)]));
  }

  /** A list of structs of two 64-bit numbers. */
  pairs(field: number): (readonly [number, number])[] {
    const number = (at: number) => Number(this.#view.getBigInt64(at, true));
    return this.#entries(field, 16).map((at) => [number(at), number(at + 8)] as const);
  }

  /** Where the entries of a list are. */
  #entries(field: number, bytes: number): number[] {
    const at = this.#place(field);
    if (at === undefined) return [];
    const start = at + this.#view.getUint32(at, true);
    const count = this.#view.getUint32(start, true);
    if (start + 4 + count * bytes > this.#view.byteLength)
      throw new RangeError("A list ends outside the message");
    return Array.from({ length: count }, (_, index) => start + 4 + bytes * index);
  }
}
