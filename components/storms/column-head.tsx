/** Heading of a column of a narrow table: the unit is on a line of its own. */
export function ColumnHead({ what, unit }: { what: string; unit: string }) {
  return (
    <th scope="col">
      {what} <span className="block">{unit}</span>
    </th>
  );
}
