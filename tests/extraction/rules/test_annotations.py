"""Routes that annotations declare, on lines as they are written."""

from __future__ import annotations

import pytest

SPRING = """@RestController
@RequestMapping(path = "/orders")
public class OrderController {
  @RequestMapping(method = RequestMethod.POST)
  public Order create(@RequestBody Basket basket) { return null; }
  @GetMapping(value = {"/{id}", "/by/{id}"}, produces = "application/json")
  @Timed
  public Order show(String id) { return null; }
  @PutMapping("owners/*/pets/{petId}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  public void put() {}
}
@FeignClient("carts")
interface Carts {
  @GetMapping("/carts/{id}")
  Cart one();
}
"""
JAX_RS = """import jakarta.ws.rs.*;
@Path("/hello")
public class Hello {
  @GET
  @Path("/{name}")
  public String greet() { return ""; }
}
"""
MICRONAUT = """import io.micronaut.http.annotation.*;
@Controller("/hello")
class Hello {
    @Get("/{name}")
    fun greet() = 1
}
"""
ASPNET = """[ApiController]
[Route("api/[controller]")]
public class ItemsController : ControllerBase
{
    [HttpGet("{id:int}"), Authorize]
    public Item Show(int id) { return null; }
    [HttpPost]
    [Route("ignored")]
    public Item Add() { return null; }
    [HttpGet("~/ping")]
    public string Ping() { return ""; }
    [HttpPut("[action]/{id}")]
    public void Move(int id) { }
    [HttpPost("/restock")]
    public void Restock() { }
}
public class PagesController : Controller
{
    [HttpGet]
    public IActionResult Index() { return View(); }
}
"""
NEST = """import { Controller, Get } from '@nestjs/common';
@Controller('cats')
export class CatsController {
  @Get(':id')
  findOne(@Param('id') id: string) { return id; }
}
export class Other {
  @Get('x')
  y() {}
}
"""
SYMFONY = """<?php
#[Route('/blog')]
class BlogController extends AbstractController
{
    #[Route('/{page}', name: 'list', methods: ['GET', 'POST'])]
    public function list(): Response {}
}
"""


@pytest.mark.parametrize(
    ("path", "text", "rows"),
    [
        ("A.java", SPRING, [
            (4, "POST /orders", "OrderController.create"), (6, "GET /orders/by/{id}", "OrderController.show"),
            (6, "GET /orders/{id}", "OrderController.show"), (9, "PUT /orders/owners/*/pets/{petId}", "OrderController.put"),
        ]),
        ("A.java", JAX_RS, [(4, "GET /hello/{name}", "Hello.greet")]),
        ("A.kt", MICRONAUT, [(4, "GET /hello/{name}", "Hello.greet")]),
        ("A.cs", ASPNET, [
            (5, "GET /api/items/{id}", "ItemsController.Show"), (7, "POST /api/items", "ItemsController.Add"),
            (10, "GET /ping", "ItemsController.Ping"), (12, "PUT /api/items/Move/{id}", "ItemsController.Move"),
            (14, "POST /restock", "ItemsController.Restock"),
        ]),
        ("a.ts", NEST, [(4, "GET /cats/{id}", "CatsController.findOne")]),
        ("A.php", SYMFONY, [(5, "GET /blog/{page}", "BlogController.list"), (5, "POST /blog/{page}", "BlogController.list")]),
    ],
)  # fmt: skip
def test_routes_of_a_framework(routes, path, text, rows):
    assert routes(path, text) == rows


def test_a_file_of_another_kind(routes):
    assert routes("A.java", "class A { String get() { return null; } }") == []
    assert routes("src/test/java/ATest.java", SPRING) == []
