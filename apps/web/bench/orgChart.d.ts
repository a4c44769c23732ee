/** What the benchmark uses of a library that brings no types. */
declare module 'd3-org-chart' {
  interface OrgChartNode<Datum> {
    data: Datum
  }
  export class OrgChart<Datum> {
    container(element: HTMLElement): this
    data(data: Datum[]): this
    svgHeight(height: number): this
    nodeWidth(size: () => number): this
    nodeHeight(size: () => number): this
    childrenMargin(size: () => number): this
    neighbourMargin(size: () => number): this
    initialZoom(zoom: number): this
    scaleExtent(extent: [number, number]): this
    compact(isCompact: boolean): this
    duration(time: number): this
    minPagingVisibleNodes(count: () => number): this
    nodeContent(write: (node: OrgChartNode<Datum>) => string): this
    expandAll(): this
    render(): this
    fit: () => this
    clear(): void
  }
}
