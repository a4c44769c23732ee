/** Of the catalog: roles, the database, schemas, settings, and grants on PostgreSQL's own objects. */
import { grants, isOurs, roleName, WHOLE, yesNo } from './catalog-fragments.ts'

/** Group roles that hold something here. A cluster may have others, of other installations. */
const GROUP = `r.rolname ~ '^aval_[a-z]+$' AND EXISTS (SELECT FROM pg_shdepend d WHERE d.refclassid = 'pg_authid'::regclass
  AND d.refobjid = r.oid AND d.dbid = (SELECT oid FROM pg_database WHERE datname = current_database()))`
const LOGIN = `starts_with(r.rolname, current_database() || '_') AND r.rolname LIKE '%\\_login'`

/** The sign-in of a program of another database in the cluster: it can do what that program can, and no more. */
const FOREIGN_LOGIN = `EXISTS (SELECT FROM pg_database d WHERE starts_with(r.rolname, d.datname || '_')
    AND substr(r.rolname, length(d.datname) + 1) ~ '^_[a-z0-9]+_login$')
  AND NOT (r.rolsuper OR r.rolcreaterole OR r.rolcreatedb OR r.rolreplication OR r.rolbypassrls)
  AND NOT EXISTS (SELECT FROM pg_auth_members m JOIN pg_roles g ON g.oid = m.roleid WHERE m.member = r.oid
    AND (m.admin_option OR g.rolname IN ('aval_ledger', 'aval_jobs') OR g.rolname !~ '^aval_[a-z]+$'))`

/** Members of our roles; who owns a database migrates it, and a superuser is a member of everything. */
const MEMBER = `EXISTS (SELECT FROM pg_auth_members m JOIN pg_roles g ON g.oid = m.roleid WHERE m.member = r.oid
    AND (g.rolname ~ '^aval_[a-z]+$' OR starts_with(g.rolname, current_database() || '_') AND g.rolname LIKE '%\\_login'))
  AND NOT r.rolsuper AND NOT EXISTS (SELECT FROM pg_database d WHERE d.datdba = r.oid) AND NOT (${FOREIGN_LOGIN})`

const SETTINGS = (
  role: string,
) => `SELECT 'setting ' || split_part(s, '=', 1) AS key, substr(s, strpos(s, '=') + 1) AS value
  FROM pg_db_role_setting g, unnest(g.setconfig) s WHERE g.setrole = ${role}
    AND g.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))`

const roles = `SELECT 'role ' || n.name AS subject, ${WHOLE}, jsonb_build_object(
    'superuser', ${yesNo('r.rolsuper')}, 'creates roles', ${yesNo('r.rolcreaterole')}, 'creates databases', ${yesNo('r.rolcreatedb')},
    'bypasses row security', ${yesNo('r.rolbypassrls')}, 'replicates', ${yesNo('r.rolreplication')}, 'signs in', ${yesNo('r.rolcanlogin')},
    'inherits', ${yesNo('r.rolinherit')}, 'connection limit', r.rolconnlimit::text, 'valid until', coalesce(r.rolvaliduntil::text, 'ever'))
    || (SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM (${SETTINGS('r.oid')}) setting)
    || (SELECT coalesce(jsonb_object_agg('member of ' || g.name, concat_ws(', ', CASE WHEN m.admin_option THEN 'admin' END,
        CASE WHEN coalesce(to_jsonb(m)->>'inherit_option', r.rolinherit::text) = 'true' THEN 'inherits' END,
        CASE WHEN coalesce(to_jsonb(m)->>'set_option', 'true') = 'true' THEN 'may become it' END)), '{}')
      FROM pg_auth_members m JOIN roles g ON g.oid = m.roleid WHERE m.member = r.oid) AS attributes
  FROM pg_roles r JOIN roles n ON n.oid = r.oid
  WHERE n.name <> '<owner>' AND (${GROUP} OR ${LOGIN} OR ${MEMBER})`

const database = `SELECT 'database' AS subject, ${WHOLE}, jsonb_build_object('owner', CASE WHEN r.name ~ '^aval_[a-z]+$|^<database>' THEN r.name ELSE '<owner>' END)
    || ${grants('d.datacl', 'd', 'd.datdba')}
    || (SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM (${SETTINGS('0')}) setting) AS attributes
  FROM pg_database d JOIN roles r ON r.oid = d.datdba WHERE d.datname = current_database()`

/** What a session of ours begins with. */
const serverSettings = `SELECT 'server setting ' || name AS subject, ${WHOLE}, jsonb_build_object('value', reset_val) AS attributes
  FROM pg_settings WHERE name IN ('session_replication_role', 'row_security', 'allow_system_table_mods', 'local_preload_libraries',
    'lo_compat_privileges', 'default_transaction_read_only')`

const schemas = `SELECT 'schema ' || nspname AS subject, ${WHOLE},
    jsonb_build_object('owner', ${roleName('nspowner')}) || ${grants('nspacl', 'n', 'nspowner')} AS attributes
  FROM pg_namespace WHERE ${isOurs('nspname', 'oid')}`

/** Beyond what they were made with; grants to roles that are not ours are the administrator's. */
const systemGrants = (
  what: string,
  from: 'pg_proc' | 'pg_class',
  prefix: 'pro' | 'rel',
  kind: string,
  type: string,
) => `
  SELECT '${what} ' || o.oid::${type} AS subject, ${WHOLE}, jsonb_object_agg(r.name || ' may ' || a.privilege_type, 'yes') AS attributes
  FROM ${from} o CROSS JOIN LATERAL aclexplode(o.${prefix}acl) a JOIN roles r ON r.oid = a.grantee
  WHERE o.oid < 16384 AND o.${prefix}acl IS NOT NULL AND o.${prefix}namespace <> 'information_schema'::regnamespace AND r.name ~ '^aval_[a-z]+$|^<database>|^public$'
    AND NOT EXISTS (SELECT FROM aclexplode(coalesce((SELECT i.initprivs FROM pg_init_privs i WHERE i.objoid = o.oid
        AND i.classoid = '${from}'::regclass AND i.objsubid = 0), acldefault('${kind}', o.${prefix}owner))) b
      WHERE b.grantee = a.grantee AND b.privilege_type = a.privilege_type)
  GROUP BY o.oid`

const defaultPrivileges = `SELECT format('default privileges of %s for %s in %s', ${roleName('defaclrole')}, defaclobjtype,
      coalesce(defaclnamespace::regnamespace::text, 'every schema')) AS subject, ${WHOLE},
    (SELECT coalesce(jsonb_object_agg(r.name || ' may ' || a.privilege_type, 'yes'), '{}') FROM aclexplode(defaclacl) a JOIN roles r ON r.oid = a.grantee) AS attributes
  FROM pg_default_acl`

export const SHARED: readonly string[] = [
  roles,
  database,
  serverSettings,
  schemas,
  systemGrants('system function', 'pg_proc', 'pro', 'f', 'regprocedure'),
  systemGrants('system table', 'pg_class', 'rel', 'r', 'regclass'),
  defaultPrivileges,
]
