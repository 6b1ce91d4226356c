/** Whether files are being dragged, and not text or a link of the page. */
export function carriesFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false
}

/** A file that is dropped where nothing takes it would replace the page in its tab. */
export function refuseFiles(event: DragEvent): void {
  if (event.defaultPrevented || !carriesFiles(event)) return
  event.preventDefault()
  if (event.dataTransfer) event.dataTransfer.dropEffect = 'none'
}
