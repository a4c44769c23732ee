/** Single icons, by file: the package's index would make every build read six thousand of them. */
declare module '@tabler/icons-react/dist/esm/icons/*.mjs' {
  const Icon: import('react').ComponentType<import('./icons.ts').IconProps>
  // biome-ignore lint/style/noDefaultExport: that is what the files have
  export default Icon
}
