// Package web owns what the browser and the API's clients meet: the route table,
// who may come in, the REST API, the socket and the pages. It refuses to know how
// servers are connected, how calls run or where rows are kept: it declares what it
// needs of them as small interfaces, and app hands them in.
package web

import "github.com/labstack/echo/v4"

// Server answers HTTP.
type Server struct{}

const cookiePrefix = "kontor_"

// Document is the OpenAPI 3.1 document of the API.
func Document(version string) ([]byte, error) {
	api := newAPI(echo.New(), version)
	(&Server{}).operations(api)
	return document(api)
}
