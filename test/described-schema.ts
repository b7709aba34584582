import type { Migratable } from "#server/platform/migrate.ts";

/**
 * Everything that migrations create in a database, one line each, including triggers and other things that
 * prisma/schema.prisma cannot express. Two databases with the same lines have the same schema.
 */
export async function describedSchema(database: Migratable): Promise<string[]> {
  const { rows } = await database.query(`
    with tables as (
      select * from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')
    )
    select line from (
      select format('table %s %s %s', relname, relkind, relpersistence) as line from tables
      union all
      select format('column %s.%s %s %s %s', relname, attname, format_type(atttypid, atttypmod), attnotnull,
        pg_get_expr(adbin, adrelid))
      from tables join pg_attribute on attrelid = tables.oid
        left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attnum > 0 and not attisdropped
      union all
      select pg_get_indexdef(indexrelid) from pg_index join tables on tables.oid = indrelid
      union all
      select format('constraint %s %s %s', relname, conname, pg_get_constraintdef(pg_constraint.oid))
      from pg_constraint join tables on tables.oid = conrelid
      union all
      select pg_get_triggerdef(pg_trigger.oid) from pg_trigger join tables on tables.oid = tgrelid
      union all
      select pg_get_functiondef(oid) from pg_proc where pronamespace = current_schema()::regnamespace
    ) as lines order by line collate "C"`);
  return (rows as { line: string }[]).map(({ line }) => line);
}
