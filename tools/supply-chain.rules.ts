/** What a lockfile may say about the packages of others. */
interface LockedPackage {
  readonly version?: string | undefined
  readonly resolved?: string | undefined
  readonly integrity?: string | undefined
  readonly link?: boolean | undefined
  readonly dev?: boolean | undefined
  readonly hasInstallScript?: boolean | undefined
}

const REGISTRY = 'https://registry.npmjs.org/'
const FOLDER = 'node_modules/'

/** All that is wrong with the packages below node_modules. @param scripts whether a package's install script may run, by name */
export function lockFaults(
  packages: Readonly<Record<string, LockedPackage>>,
  scripts: Readonly<Record<string, boolean>>,
): string[] {
  return Object.entries(packages).flatMap(([path, each]) => {
    if (!path.includes(FOLDER) || each.link === true) return []
    const name = path.slice(path.lastIndexOf(FOLDER) + FOLDER.length)
    return [
      ...(each.dev !== true && each.integrity === undefined ? [`${path}: ships without integrity`] : []),
      ...(each.resolved === undefined || each.resolved.startsWith(REGISTRY)
        ? []
        : [`${path}: comes from elsewhere than the registry`]),
      ...(each.hasInstallScript === true && scripts[name] === undefined
        ? [`${path}: allowScripts does not say whether its install script runs`]
        : []),
    ]
  })
}
