import type { RefObject } from 'react'

export interface ChartElements {
  view?: HTMLElement | null
  canvas?: HTMLCanvasElement | null
  layer?: HTMLElement | null
  ring?: HTMLElement | null
  map?: HTMLElement | null
  mapCanvas?: HTMLCanvasElement | null
  mapFrame?: HTMLElement | null
}

/**
 * The elements that the chart fills in by itself. To a screen reader they are a picture; the tree that it hears stands
 * beside them.
 */
export function ChartCanvas({ elements }: { elements: RefObject<ChartElements> }) {
  const keep =
    <Name extends keyof ChartElements>(name: Name) =>
    (element: ChartElements[Name]) => {
      elements.current[name] = element
    }
  return (
    <div className="tree-view" ref={keep('view')} aria-hidden="true">
      <canvas className="tree-canvas" ref={keep('canvas')} />
      <div className="tree-layer" ref={keep('layer')} />
      <div className="tree-ring" ref={keep('ring')} hidden />
      <div className="tree-map" ref={keep('map')} data-overlay data-needed="false">
        <canvas ref={keep('mapCanvas')} width={168} height={104} />
        <div className="tree-map-frame" ref={keep('mapFrame')} />
      </div>
    </div>
  )
}
